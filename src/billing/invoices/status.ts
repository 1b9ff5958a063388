/** The status of an invoice follows from the books, never the other way round. */
import { sql } from 'kysely'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordBillingEvent } from '../events.ts'
import { postToLedger, openAmount, openAmounts } from '../ledger/post.ts'

/** After anything was booked on it. The customer is locked by the caller. */
export async function refreshStatus(db: Db, invoiceId: number, now: Date, actor: Actor = SYSTEM): Promise<void> {
  const invoice = await db.selectFrom('invoices').selectAll().where('id', '=', invoiceId).executeTakeFirstOrThrow()
  if (invoice.status === 'UNCOLLECTIBLE' && !(await isRecovered(db, invoice, now))) return
  if (invoice.status === 'DRAFT') return
  const open = await openAmount(db, invoiceId)
  const subject = { type: 'invoice', id: invoiceId, userId: invoice.user_id }
  if (open > 0 && invoice.status !== 'OPEN') {
    await db.updateTable('invoices').set({ status: 'OPEN', paid_at: null }).where('id', '=', invoiceId).execute()
    await recordBillingEvent(db, actor, subject, 'invoice.reopened', {
      number: invoice.number,
      open,
      currency: invoice.currency,
    })
  } else if (open <= 0 && (invoice.status === 'OPEN' || invoice.status === 'UNCOLLECTIBLE')) {
    const paid = await db
      .selectFrom('payments')
      .select('id')
      .where('invoice_id', '=', invoiceId)
      .where('status', '=', 'SUCCEEDED')
      .executeTakeFirst()
    const credited = await db
      .selectFrom('invoices')
      .select((eb) => eb.fn.sum<string | null>('total').as('total'))
      .where('corrects_id', '=', invoiceId)
      .executeTakeFirstOrThrow()
    const whole = Number(credited.total ?? 0) + invoice.total <= 0
    await db
      .updateTable('invoices')
      .set(!paid && whole ? { status: 'VOID', charge_at: null } : { status: 'PAID', paid_at: now, charge_at: null })
      .where('id', '=', invoiceId)
      .execute()
    await recordBillingEvent(db, actor, subject, 'invoice.paid', { number: invoice.number })
  }
}

/**
 * What comes in for a debt that was given up, by payment or by credit, first undoes the loss: otherwise it would be a
 * gift that pays for the next invoice. Whether the whole loss is undone.
 */
async function isRecovered(
  db: Db,
  { id: invoiceId, user_id: userId, currency }: { id: number; user_id: number; currency: string },
  now: Date,
): Promise<boolean> {
  const { lost } = await db
    .selectFrom('ledger_transactions as booked')
    .innerJoin('ledger_entries as entry', 'entry.transaction_id', 'booked.id')
    .select((eb) => sql<number>`coalesce(${eb.fn.sum('entry.amount')}, 0)::bigint`.as('lost'))
    .where('booked.user_id', '=', userId)
    .where('entry.account', '=', 'bad-debt')
    .where('entry.invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const amount = Math.min(lost, -(await openAmount(db, invoiceId)))
  if (amount <= 0) return lost <= 0
  await postToLedger(db, [
    {
      // Each recovery leaves another loss behind.
      source: `recovery:${invoiceId}:${lost}`,
      userId,
      currency,
      at: now,
      postings: [
        { account: 'receivable', amount, invoiceId },
        { account: 'bad-debt', amount: -amount, invoiceId },
      ],
    },
  ])
  return amount === lost
}

/** Moves what is in the customer's favour elsewhere onto this invoice. The customer is locked by the caller. */
export async function applyCreditBalance(
  db: Db,
  invoice: { id: number; user_id: number; currency: string },
  now: Date,
) {
  let open = await openAmount(db, invoice.id)
  const others = await db
    .selectFrom('invoices')
    .select('id')
    .where('user_id', '=', invoice.user_id)
    .where('id', '!=', invoice.id)
    .where('number', 'is not', null)
    .orderBy('id')
    .execute()
  const balances = await openAmounts(
    db,
    others.map((other) => other.id),
  )
  for (const [otherId, balance] of balances) {
    const amount = Math.min(open, -balance)
    if (amount <= 0) continue
    await settle(db, { ...invoice, from: otherId, to: invoice.id, amount }, now)
    open -= amount
  }
  await refreshStatus(db, invoice.id, now)
}

/** Books a part of what is in favour on one invoice against what is owed on another. */
export async function settle(
  db: Db,
  move: { user_id: number; currency: string; from: number; to: number; amount: number },
  now: Date,
): Promise<void> {
  // Between the same two it may happen again after a refund; each is another state of the books.
  const { count } = await db
    .selectFrom('ledger_transactions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', move.user_id)
    .where('source', 'like', `settlement:${move.from}:${move.to}:%`)
    .executeTakeFirstOrThrow()
  await postToLedger(db, [
    {
      source: `settlement:${move.from}:${move.to}:${count + 1}`,
      userId: move.user_id,
      currency: move.currency,
      at: now,
      postings: [
        { account: 'receivable', amount: move.amount, invoiceId: move.from },
        { account: 'receivable', amount: -move.amount, invoiceId: move.to },
      ],
    },
  ])
}
