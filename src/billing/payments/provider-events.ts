/**
 * Processes events that a provider sends. Each event counts once and only says where to look: the state of a charge
 * is always read from the provider. So late, repeated and reordered deliveries lead to the same ledger.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { PaymentError, type ProviderEvent } from '../../drivers/payments/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import type { ChargeDeps, Payment } from './charge-deps.ts'
import { takeDispute } from './disputes.ts'
import { recordOutcome } from './outcome.ts'
import { takeRefundBack } from './refunds.ts'

/**
 * Returns false for an unknown charge: it belongs to another system on the same provider account, or is not recorded
 * yet.
 */
export async function takeProviderEvent(deps: ChargeDeps, event: ProviderEvent): Promise<boolean> {
  if (event.kind === 'other' || event.reference === null) return true
  if (event.kind === 'refund-failed') return takeRefundBack(deps, event.reference)
  // Checked first, so that an attempt whose response arrives in between is found by its reference.
  const mayBeOurs = await awaitsAnswer(deps, event)
  const payment = await findPayment(deps, event.reference)
  if (!payment && mayBeOurs) throw new PaymentError('unreachable', 'A charge waits for its answer: deliver this again.')
  if (!payment) return false
  if (event.kind === 'charge-changed') {
    await recordWhatBecame(deps, payment)
    return true
  }
  // Only a paid amount can be disputed, so the payment's success is recorded before its dispute.
  if (payment.status !== 'SUCCEEDED') await recordWhatBecame(deps, payment)
  await inTransaction(deps.db, async (db) => {
    const { status } = await db
      .selectFrom('payments')
      .select('status')
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow()
    if (status === 'PENDING' || status === 'ACTION_REQUIRED')
      throw new PaymentError('unreachable', 'The payment has not succeeded yet: deliver this again.')
    // Posting it would make the customer owe twice an amount that was never paid.
    if (status !== 'SUCCEEDED') return
    const claimed = await db
      .insertInto('provider_events')
      .values({ provider: deps.payments.kind, event: event.id, received_at: deps.clock.now() })
      .onConflict((clash) => clash.doNothing())
      .executeTakeFirst()
    if (claimed.numInsertedOrUpdatedRows === 1n)
      await takeDispute({ db, emails: deps.emails, now: deps.clock.now() }, payment, event)
  })
  return true
}

async function recordWhatBecame(deps: ChargeDeps, { id, account_id: accountId, reference }: Payment): Promise<void> {
  const customer = await customerOf(deps, accountId)
  const found = await deps.payments.findCharge({ customer, reference: reference! })
  if (found && found.status !== 'processing') await recordOutcome(deps, id, found)
}

/**
 * An event about an unknown charge belongs to another system on the same account. But a dispute is delivered only
 * once. While an attempt of ours waits for its response, the dispute may be about that attempt, so it must be
 * delivered again.
 */
async function awaitsAnswer({ db, payments }: ChargeDeps, event: ProviderEvent): Promise<boolean> {
  if (event.kind === 'charge-changed' || payments.kind === 'test') return false
  const waiting = await db
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', payments.kind)
    .where('status', '=', 'PENDING')
    .where('reference', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

/**
 * Finds the payment by its reference. An event that arrives before the response to the charge finds none, and the
 * response carries the same outcome.
 */
const findPayment = ({ db, payments }: ChargeDeps, reference: string): Promise<Payment | undefined> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', payments.kind)
    .where('reference', '=', reference)
    .executeTakeFirst()

export async function customerOf({ db, payments }: ChargeDeps, accountId: AccountId): Promise<string> {
  const { customer } = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .where('provider', '=', payments.kind)
    .executeTakeFirstOrThrow()
  return customer
}
