/**
 * Refunds. Only a credit of the customer in the ledger can be refunded, so staff write a credit note first. The
 * amount is reserved at once and leaves the ledger when the provider has the refund.
 */
import { PaymentError } from '../../drivers/payments/index.ts'
import { formatMoney } from '../../kernel/money.ts'
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import { refreshStatus } from '../invoices/status.ts'
import { postToLedger, openAmount, type Posting } from '../ledger/post.ts'
import { PAYMENT_LABELS } from '../states.ts'
import type { ChargeDeps } from './charge-deps.ts'

const KEY_VALID_MS = 20 * 3_600_000

export async function requestRefund(
  db: Db,
  actor: Actor,
  input: { readonly paymentId: number; readonly amount: number; readonly reason: string },
  now: Date,
): Promise<number> {
  const found = await db.selectFrom('payments').selectAll().where('id', '=', input.paymentId).executeTakeFirst()
  if (!found) throw notFound()
  await lockBillingCustomer(db, found.account_id)
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', found.id).executeTakeFirstOrThrow()
  if (payment.status !== 'SUCCEEDED')
    throw conflict(`This payment ${PAYMENT_LABELS[payment.status]}: there is nothing to give back.`)
  if (payment.dispute === 'OPEN' || payment.dispute === 'LOST') {
    throw conflict('This payment is disputed: the bank has taken the money back already.')
  }
  const before = await db
    .selectFrom('refunds')
    .select('amount')
    .where('payment_id', '=', payment.id)
    .where('status', '!=', 'FAILED')
    .execute()
  const left = payment.amount - before.reduce((sum, refund) => sum + refund.amount, 0)
  const creditBalance = -(await openAmount(db, payment.invoice_id))
  const most = Math.min(left, creditBalance)
  if (most <= 0) throw conflict('This invoice has no credit to refund. Issue a credit note first.')
  if (input.amount > most)
    throw invalid([
      { field: 'amount', message: `is at most ${formatMoney({ amount: most, currency: payment.currency })}` },
    ])
  const { id } = await db
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      amount: input.amount,
      reason: input.reason,
      status: 'PENDING',
      reference: null,
      failure: null,
      created_by: actor.userId,
      created_at: now,
      settled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { account_id: accountId, currency, invoice_id: invoiceId } = payment
  await postToLedger(db, [
    {
      source: `refund:${id}`,
      accountId,
      currency,
      at: now,
      postings: move('receivable', 'refunds', input.amount, invoiceId),
    },
  ])
  const data = { amount: input.amount, currency, reason: input.reason }
  await recordBillingEvent(db, actor, { type: 'refund', id, accountId }, 'refund.requested', data)
  return id
}

export function refundReconciler(deps: ChargeDeps): Reconciler {
  const { db, payments } = deps
  return {
    name: 'refunds',
    everyMs: 30_000,
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'payment' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .select('refunds.id')
        .where('refunds.status', '=', 'PENDING')
        .where('payments.provider', '=', payments.kind)
        .orderBy('refunds.id')
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },
    reconcile: (id) => performRefund(deps, id),
  }
}

async function performRefund(deps: ChargeDeps, id: number): Promise<void> {
  const { db, payments, clock } = deps
  const refund = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    .select('payments.reference as charge')
    .where('refunds.id', '=', id)
    .where('refunds.status', '=', 'PENDING')
    .executeTakeFirst()
  if (!refund?.charge) return
  const { amount, charge, key: idempotencyKey } = refund
  const old = clock.now().getTime() - refund.created_at.getTime() > KEY_VALID_MS
  try {
    const known = old ? await payments.findRefund({ charge, idempotencyKey }) : null
    const { reference } = known ?? (await payments.refund({ charge, amount, idempotencyKey }))
    await recordRefundOutcome(deps, id, { status: 'SUCCEEDED', reference })
  } catch (error) {
    if (!(error instanceof PaymentError) || (error.kind !== 'invalid' && error.kind !== 'declined')) throw error
    await recordRefundOutcome(deps, id, { status: 'FAILED', failure: error.message })
  }
}

function recordRefundOutcome(
  { db: database, clock, emails }: ChargeDeps,
  id: number,
  end:
    | { readonly status: 'SUCCEEDED'; readonly reference: string }
    | { readonly status: 'FAILED'; readonly failure: string },
): Promise<void> {
  return inTransaction(database, async (db) => {
    const now = clock.now()
    const {
      account_id: accountId,
      currency,
      invoice_id: invoiceId,
    } = await db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .select(['payments.account_id', 'payments.currency', 'payments.invoice_id'])
      .where('refunds.id', '=', id)
      .executeTakeFirstOrThrow()
    await lockBillingCustomer(db, accountId)
    const settled = await db
      .updateTable('refunds')
      .set({ ...end, settled_at: now })
      .where('id', '=', id)
      .where('status', '=', 'PENDING')
      .returning('amount')
      .executeTakeFirst()
    if (!settled) return
    const succeeded = end.status === 'SUCCEEDED'
    const postings = move('refunds', succeeded ? 'cash' : 'receivable', settled.amount, invoiceId)
    await postToLedger(db, [{ source: `refund-end:${id}`, accountId, currency, at: now, postings }])
    await refreshStatus(db, invoiceId, now)
    const action = succeeded ? 'refund.succeeded' : 'refund.failed'
    await recordBillingEvent(db, SYSTEM, { type: 'refund', id, accountId }, action, {
      ...end,
      amount: settled.amount,
      currency,
    })
    if (succeeded) await emails.send(db, accountId, { kind: 'refund', invoiceId, amount: settled.amount })
  })
}

/**
 * Handles a refund that a bank returned after it was paid out. The ledger records it, and the amount can be refunded
 * again. Returns false if the refund is not ours.
 */
export function takeRefundBack(
  { db: database, clock, emails, payments }: ChargeDeps,
  reference: string,
): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const refund = await db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .select(['refunds.id', 'refunds.amount', 'account_id', 'currency', 'invoice_id'])
      .where('refunds.reference', '=', reference)
      .where('provider', '=', payments.kind)
      .executeTakeFirst()
    if (!refund) return false
    const { id, amount, account_id: accountId, currency, invoice_id: invoiceId } = refund
    await lockBillingCustomer(db, accountId)
    const failed = await db
      .updateTable('refunds')
      .set({ status: 'FAILED', failure: 'The bank sent it back.' })
      .where('id', '=', id)
      .where('status', '=', 'SUCCEEDED')
      .executeTakeFirst()
    if (failed.numUpdatedRows === 0n) return true
    const now = clock.now()
    const postings = move('cash', 'receivable', amount, invoiceId)
    await postToLedger(db, [{ source: `refund-back:${id}`, accountId, currency, at: now, postings }])
    await refreshStatus(db, invoiceId, now)
    await recordBillingEvent(db, SYSTEM, { type: 'refund', id, accountId }, 'refund.failed', {
      amount,
      currency,
      reference,
    })
    await emails.send(db, accountId, { kind: 'refund-back', invoiceId, amount })
    return true
  })
}

/** Debits the first account and credits the second. */
const move = (debit: Posting['account'], credit: Posting['account'], amount: number, invoiceId: number): Posting[] => [
  { account: debit, amount, invoiceId },
  { account: credit, amount: -amount, invoiceId },
]
