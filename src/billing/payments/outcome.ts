/** Records the outcome of an attempt once, however often and in whatever order it is reported. */
import type { ChargeOutcome } from '../../drivers/payments/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import { refreshStatus } from '../invoices/status.ts'
import { postToLedger } from '../ledger/post.ts'
import type { ChargeDeps, Payment } from './charge-deps.ts'

export type Outcome = ChargeOutcome | { readonly status: 'failed'; readonly reason: string }

/**
 * Days until the next automatic attempt, after the first, second and third decline. After that only a person tries
 * again.
 */
const TRY_AGAIN_DAYS = [3, 4, 7]
const DAY_MS = 86_400_000

export function recordOutcome(
  deps: Pick<ChargeDeps, 'db' | 'clock' | 'emails'>,
  paymentId: number,
  outcome: Outcome,
): Promise<Payment> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock.now()
    const { account_id: accountId } = await db
      .selectFrom('payments')
      .select('account_id')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    await lockBillingCustomer(db, accountId)
    const payment = await db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirstOrThrow()
    switch (outcome.status) {
      case 'succeeded':
        // Also after a recorded decline: the money has arrived, whatever was reported before.
        return payment.status === 'SUCCEEDED' ? payment : succeed(db, payment, outcome.reference, now)
      case 'action-required':
        return payment.status === 'PENDING' ? requireAction(deps, db, payment, outcome.reference) : payment
      case 'declined':
      case 'failed':
        return payment.status === 'PENDING' || payment.status === 'ACTION_REQUIRED'
          ? refuse(deps, db, payment, outcome, now)
          : payment
    }
  })
}

async function succeed(db: Db, payment: Payment, reference: string, now: Date): Promise<Payment> {
  const { id, account_id: accountId, currency, amount, invoice_id: invoiceId } = payment
  await postToLedger(db, [
    {
      source: `payment:${id}`,
      accountId,
      currency,
      at: now,
      postings: [
        { account: 'cash', amount, invoiceId },
        { account: 'receivable', amount: -amount, invoiceId },
      ],
    },
  ])
  const after = await write(db, id, { status: 'SUCCEEDED', reference, reason: null, settled_at: now })
  await refreshStatus(db, invoiceId, now)
  await recordBillingEvent(db, SYSTEM, { type: 'payment', id, accountId }, 'payment.succeeded', moneyIn(payment))
  return after
}

async function requireAction(
  { emails }: Pick<ChargeDeps, 'emails'>,
  db: Db,
  payment: Payment,
  reference: string,
): Promise<Payment> {
  const after = await write(db, payment.id, { status: 'ACTION_REQUIRED', reference })
  const subject = { type: 'payment', id: payment.id, accountId: payment.account_id }
  await recordBillingEvent(db, SYSTEM, subject, 'payment.action_required', moneyIn(payment))
  await emails.send(db, payment.account_id, { kind: 'payment-step', invoiceId: payment.invoice_id })
  return after
}

async function refuse(
  { emails }: Pick<ChargeDeps, 'emails'>,
  db: Db,
  payment: Payment,
  outcome: Extract<Outcome, { status: 'declined' | 'failed' }>,
  now: Date,
): Promise<Payment> {
  const declined = outcome.status === 'declined'
  const after = await write(db, payment.id, {
    status: declined ? 'DECLINED' : 'FAILED',
    reason: outcome.reason,
    ...(declined && outcome.reference && { reference: outcome.reference }),
    settled_at: now,
  })
  const { attempts } = await db
    .selectFrom('invoices')
    .select('attempts')
    .where('id', '=', payment.invoice_id)
    .executeTakeFirstOrThrow()
  const days = declined ? TRY_AGAIN_DAYS[attempts - 1] : 0
  const next = days === undefined ? null : new Date(now.getTime() + days * DAY_MS)
  await db
    .updateTable('invoices')
    .set({ charge_at: next })
    .where('id', '=', payment.invoice_id)
    .where('status', '=', 'OPEN')
    .execute()
  const subject = { type: 'payment', id: payment.id, accountId: payment.account_id }
  const { reason } = outcome
  await recordBillingEvent(db, SYSTEM, subject, declined ? 'payment.declined' : 'payment.failed', {
    ...moneyIn(payment),
    reason,
  })
  if (declined) {
    await emails.send(db, payment.account_id, { kind: 'payment-declined', invoiceId: payment.invoice_id, reason, next })
  }
  return after
}

const moneyIn = ({ amount, currency }: Payment) => ({ amount, currency })

const write = (db: Db, id: number, values: Partial<Omit<Payment, 'id' | 'key'>>): Promise<Payment> =>
  db.updateTable('payments').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
