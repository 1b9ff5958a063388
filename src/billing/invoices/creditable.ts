/** What of an invoice has not been credited yet. */
import type { Db } from '../../platform/db/index.ts'
import type { StaffInvoice } from '../contract.ts'
import { linesOf, viewInvoice } from './view.ts'

/** Its lines, each with what is left of it to credit. Lines of a credit note name the line that they correct. */
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

/** An invoice as staff see it, who may credit what is left of it; of a credit note nothing is. */
export async function viewForStaff(db: Db, id: number): Promise<StaffInvoice> {
  const invoice = await viewInvoice(db, id, null)
  const left = invoice.kind === 'INVOICE' ? (await linesLeft(db, id)).map((line) => line.left) : []
  return { ...invoice, lines: invoice.lines.map((line, index) => ({ ...line, left: left[index] ?? 0 })) }
}
