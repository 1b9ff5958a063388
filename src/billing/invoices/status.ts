/** Derives the status of an invoice from the ledger, never the other way round. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordBillingEvent } from '../events.ts'
import { postToLedger, openAmount, openAmounts } from '../ledger/post.ts'

/** Call it after every posting on the invoice. The caller has locked the customer. */
export async function refreshStatus(db: Db, invoiceId: number, now: Date, actor: Actor = SYSTEM): Promise<void> {
  const invoice = await db.selectFrom('invoices').selectAll().where('id', '=', invoiceId).executeTakeFirstOrThrow()
  if (invoice.status === 'UNCOLLECTIBLE' && !(await isRecovered(db, invoice, now))) return
  if (invoice.status === 'DRAFT') return
  const open = await openAmount(db, invoiceId)
  const subject = { type: 'invoice', id: invoiceId, accountId: invoice.account_id }
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
 * A payment or credit on a written-off debt first reverses the loss. Otherwise it would become a credit for the next
 * invoice. Returns true if the whole loss is reversed.
 */
async function isRecovered(
  db: Db,
  { id: invoiceId, account_id: accountId, currency }: { id: number; account_id: AccountId; currency: string },
  now: Date,
): Promise<boolean> {
  const { lost } = await db
    .selectFrom('ledger_transactions as booked')
    .innerJoin('ledger_entries as entry', 'entry.transaction_id', 'booked.id')
    .select((eb) => sql<number>`coalesce(${eb.fn.sum('entry.amount')}, 0)::bigint`.as('lost'))
    .where('booked.account_id', '=', accountId)
    .where('entry.account', '=', 'bad-debt')
    .where('entry.invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const amount = Math.min(lost, -(await openAmount(db, invoiceId)))
  if (amount <= 0) return lost <= 0
  await postToLedger(db, [
    {
      // Each recovery leaves a different remaining loss.
      source: `recovery:${invoiceId}:${lost}`,
      accountId,
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

/** Applies the customer's credit balance to this invoice. The caller has locked the customer. */
export async function applyCreditBalance(
  db: Db,
  invoice: { id: number; account_id: AccountId; currency: string },
  now: Date,
) {
  let open = await openAmount(db, invoice.id)
  const others = await db
    .selectFrom('invoices')
    .select('id')
    .where('account_id', '=', invoice.account_id)
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

/** Posts a part of a credit on one invoice against the debt on another. */
export async function settle(
  db: Db,
  move: { account_id: AccountId; currency: string; from: number; to: number; amount: number },
  now: Date,
): Promise<void> {
  // After a refund the same two may be settled again; the count makes each source unique.
  const { count } = await db
    .selectFrom('ledger_transactions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', move.account_id)
    .where('source', 'like', `settlement:${move.from}:${move.to}:%`)
    .executeTakeFirstOrThrow()
  await postToLedger(db, [
    {
      source: `settlement:${move.from}:${move.to}:${count + 1}`,
      accountId: move.account_id,
      currency: move.currency,
      at: now,
      postings: [
        { account: 'receivable', amount: move.amount, invoiceId: move.from },
        { account: 'receivable', amount: -move.amount, invoiceId: move.to },
      ],
    },
  ])
}
