/** The part of an invoice that has not been credited yet. */
import type { Db } from '../../platform/db/index.ts'
import type { StaffInvoice } from '../contract.ts'
import { linesOf, viewInvoice } from './view.ts'

/**
 * Returns its lines, each with the amount that can still be credited. Lines of a credit note name the line that they
 * correct.
 */
export async function linesLeft(db: Db, invoiceId: number) {
  const credited = await db
    .selectFrom('invoice_lines')
    .innerJoin('invoices', 'invoices.id', 'invoice_lines.invoice_id')
    .select(['subject', 'amount'])
    .where('corrects_id', '=', invoiceId)
    .execute()
  const byLine = new Map<string, number>()
  for (const { subject, amount } of credited) byLine.set(subject, (byLine.get(subject) ?? 0) + amount)
  const lines = await linesOf(db, [invoiceId])
  return lines.map((line) => ({ ...line, left: line.amount + (byLine.get(`line:${line.position}`) ?? 0) }))
}

/** Returns an invoice for staff, with what they can still credit; for a credit note that is nothing. */
export async function viewForStaff(db: Db, id: number): Promise<StaffInvoice> {
  const invoice = await viewInvoice(db, id, null)
  const left = invoice.kind === 'INVOICE' ? (await linesLeft(db, id)).map((line) => line.left) : []
  return { ...invoice, lines: invoice.lines.map((line, index) => ({ ...line, left: left[index] ?? 0 })) }
}
