/**
 * Corrections. An issued invoice never changes: a credit note corrects it, and a debt that cannot be collected is
 * written off.
 */
import { formatMoney } from '../../kernel/money.ts'
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { sumOf, type ChargeLine } from '../charges/line.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent, recordInvoices } from '../events.ts'
import { postToLedger, openAmount } from '../ledger/post.ts'
import { readSettings } from '../settings.ts'
import { INVOICE_LABELS } from '../states.ts'
import { postInvoices } from './invoice-postings.ts'
import { taxOn, writeLines } from './issue.ts'
import { linesLeft } from './creditable.ts'
import { takeNumbers } from './numbers.ts'
import { refreshStatus, settle } from './status.ts'

export interface CreditNoteInput {
  readonly invoiceId: number
  readonly reason: string
  /** Undefined means everything that is not credited yet. */
  readonly lines?: readonly { readonly position: number; readonly amount: number }[] | undefined
}

/**
 * Returns the id of the credit note. Tax is computed on the sum of all credits, so that rounding never returns more
 * than was charged.
 */
export async function writeCreditNote(db: Db, actor: Actor, input: CreditNoteInput, now: Date): Promise<number> {
  const invoice = await lockInvoice(db, input.invoiceId)
  if (invoice.kind !== 'INVOICE' || invoice.status === 'DRAFT' || invoice.status === 'VOID') {
    throw conflict(
      `This document is ${invoice.kind === 'INVOICE' ? INVOICE_LABELS[invoice.status] : 'a credit note'}: it cannot be credited.`,
    )
  }
  const before = await creditedBefore(db, invoice.id)
  const lines = await chooseLines(db, input, invoice.currency)
  const subtotal = sumOf(lines)
  const tax = -taxOn(before.subtotal - subtotal, invoice.tax_rate ?? 0) - before.tax
  const settings = await readSettings(db)
  const [number] = await takeNumbers(db, settings, 'CREDIT_NOTE', 1, now)
  const creditNote = await db
    .insertInto('invoices')
    .values({
      account_id: invoice.account_id,
      currency: invoice.currency,
      kind: 'CREDIT_NOTE',
      reason: 'CORRECTION',
      status: 'PAID',
      ...number!,
      period_start: invoice.period_start,
      period_end: invoice.period_end,
      subtotal,
      tax,
      total: subtotal + tax,
      tax_rule: invoice.tax_rule,
      tax_rate: invoice.tax_rate,
      seller: JSON.stringify(invoice.seller),
      buyer: JSON.stringify(invoice.buyer),
      corrects_id: invoice.id,
      created_at: now,
      issued_at: now,
      due_at: now,
      paid_at: now,
      mailed_at: null,
      charge_at: null,
    })
    .returning(['id', 'account_id', 'currency', 'tax', 'total', 'number'])
    .executeTakeFirstOrThrow()
  await writeLines(db, [{ invoiceId: creditNote.id, lines }])
  await postInvoices(db, [{ ...creditNote, issued_at: now, lines }])
  await returnCredits(db, lines)
  const { account_id, currency } = invoice
  await settle(db, { account_id, currency, from: creditNote.id, to: invoice.id, amount: -creditNote.total }, now)
  await refreshStatus(db, invoice.id, now, actor)
  await recordInvoices(db, actor, [creditNote], 'invoice.credited')
  return creditNote.id
}

export async function lockInvoice(db: Db, id: number) {
  const found = await db.selectFrom('invoices').select('account_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound()
  await lockBillingCustomer(db, found.account_id)
  return db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function creditedBefore(db: Db, invoiceId: number) {
  const creditNotes = await db
    .selectFrom('invoices')
    .select(['subtotal', 'tax'])
    .where('corrects_id', '=', invoiceId)
    .execute()
  return {
    subtotal: creditNotes.reduce((sum, creditNote) => sum - creditNote.subtotal, 0),
    tax: creditNotes.reduce((sum, creditNote) => sum + creditNote.tax, 0),
  }
}

/** Returns the lines to credit, without the parts that were credited before. */
async function chooseLines(db: Db, input: CreditNoteInput, currency: string): Promise<ChargeLine[]> {
  if (input.lines?.every(({ amount }) => amount === 0)) {
    throw invalid([{ field: 'lines.0.amount', message: 'is nothing, as of every line: say what is credited' }])
  }
  const originals = await linesLeft(db, input.invoiceId)
  const left = new Map(originals.map((line) => [line.position, line.left]))
  const wanted = input.lines ?? [...left].map(([position, amount]) => ({ position, amount }))
  const problems = wanted.flatMap(({ position, amount }, index) => {
    const isRepeated = wanted.findIndex((line) => line.position === position) < index
    if (isRepeated) return [{ field: `lines.${index}.position`, message: 'is listed twice: list each line once' }]
    const most = left.get(position)
    if (most === undefined) return [{ field: `lines.${index}.position`, message: 'there is no such line' }]
    const fits = most >= 0 ? amount >= 0 && amount <= most : amount <= 0 && amount >= most
    return fits ? [] : [{ field: `lines.${index}.amount`, message: explainLeft(most, currency) }]
  })
  if (problems.length > 0) throw invalid(problems)
  const lines = wanted
    .filter(({ amount }) => amount !== 0)
    .map(({ position, amount }): ChargeLine => {
      const original = originals.find((line) => line.position === position)!
      return {
        kind: original.kind,
        subject: `line:${position}`,
        description: `${input.reason}: ${original.description}`,
        quantity: 1,
        unit: '',
        unitPrice: -amount,
        amount: -amount,
        time: original.starts_at && original.ends_at && { from: original.starts_at, to: original.ends_at },
        evidence: { corrects: { invoiceId: input.invoiceId, position } },
        ...(original.kind === 'CREDIT' && original.item_id !== null && { itemId: original.item_id }),
      }
    })
  if (sumOf(lines) >= 0) throw conflict('Nothing is left to credit on this invoice.')
  return lines
}

const explainLeft = (most: number, currency: string): string =>
  most === 0
    ? 'takes nothing: all of this line is credited'
    : `must be between 0 and ${formatMoney({ amount: most, currency })}, which is left of this line to credit`

/** Returns to the customer the credits that the wrong invoice had used. */
async function returnCredits(db: Db, lines: readonly ChargeLine[]): Promise<void> {
  for (const { itemId, amount } of lines) {
    if (itemId === undefined) continue
    await db
      .updateTable('billing_items')
      .set((eb) => ({ billed: eb('billed', '-', amount) }))
      .where('id', '=', itemId)
      .execute()
  }
}

/** Writes off a debt that nobody will pay: the books record the loss, and the invoice still shows the debt. */
export async function writeOff(db: Db, actor: Actor, invoiceId: number, reason: string, now: Date): Promise<void> {
  const invoice = await lockInvoice(db, invoiceId)
  if (invoice.status !== 'OPEN')
    throw conflict(`This invoice is ${INVOICE_LABELS[invoice.status]}: only an open one can be written off.`)
  const underWay = await db
    .selectFrom('payments')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('status', 'in', ['PENDING', 'ACTION_REQUIRED'])
    .executeTakeFirst()
  if (underWay) throw conflict('A payment of it is under way: wait for what becomes of it.', 'payment_in_progress')
  const open = await openAmount(db, invoiceId)
  await postToLedger(db, [
    {
      source: `write-off:${invoiceId}`,
      accountId: invoice.account_id,
      currency: invoice.currency,
      at: now,
      postings: [
        { account: 'bad-debt', amount: open, invoiceId },
        { account: 'receivable', amount: -open, invoiceId },
      ],
    },
  ])
  await db
    .updateTable('invoices')
    .set({ status: 'UNCOLLECTIBLE', charge_at: null })
    .where('id', '=', invoiceId)
    .execute()
  const subject = { type: 'invoice', id: invoiceId, accountId: invoice.account_id }
  await recordBillingEvent(db, actor, subject, 'invoice.written_off', {
    number: invoice.number,
    open,
    currency: invoice.currency,
    reason,
  })
}
