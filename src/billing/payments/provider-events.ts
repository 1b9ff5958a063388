/**
 * What a provider tells by itself. An event counts once. It only says where to look: the state of a charge is asked of
 * the provider, so late, repeated and overtaking deliveries end in the same books.
 */
import { PaymentError, type ProviderEvent } from '../../drivers/payments/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import type { ChargeDeps, Payment } from './charge-deps.ts'
import { takeDispute } from './disputes.ts'
import { recordOutcome } from './outcome.ts'
import { takeRefundBack } from './refunds.ts'

/** False when it is about a charge that we do not know: of somebody else on the same account, or not yet. */
export async function takeProviderEvent(deps: ChargeDeps, event: ProviderEvent): Promise<boolean> {
  if (event.kind === 'other' || event.reference === null) return true
  if (event.kind === 'refund-failed') return takeRefundBack(deps, event.reference)
  // Asked first: an attempt whose answer comes in between is found by its reference.
  const mayBeOurs = await awaitsAnswer(deps, event)
  const payment = await findPayment(deps, event.reference)
  if (!payment && mayBeOurs) throw new PaymentError('unreachable', 'A charge waits for its answer: deliver this again.')
  if (!payment) return false
  if (event.kind === 'charge-changed') {
    await recordWhatBecame(deps, payment)
    return true
  }
  // A bank takes back only what was paid: the success of a payment is recorded before its dispute.
  if (payment.status !== 'SUCCEEDED') await recordWhatBecame(deps, payment)
  await inTransaction(deps.db, async (db) => {
    const { status } = await db
      .selectFrom('payments')
      .select('status')
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow()
    if (status === 'PENDING' || status === 'ACTION_REQUIRED')
      throw new PaymentError('unreachable', 'The payment has not succeeded yet: deliver this again.')
    // Booking it would make the customer owe an amount twice that was never paid once.
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

async function recordWhatBecame(deps: ChargeDeps, { id, user_id: userId, reference }: Payment): Promise<void> {
  const customer = await customerOf(deps, userId)
  const found = await deps.payments.findCharge({ customer, reference: reference! })
  if (found && found.status !== 'processing') await recordOutcome(deps, id, found)
}

/**
 * What is told of a charge that nobody knows is of somebody else on the same account. A dispute is told once, though:
 * while an attempt of ours waits for its answer it may be that one, so it has to be delivered again.
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

/** By its reference; an event that overtakes the answer to the charge finds none yet, and the answer tells the same. */
const findPayment = ({ db, payments }: ChargeDeps, reference: string): Promise<Payment | undefined> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', payments.kind)
    .where('reference', '=', reference)
    .executeTakeFirst()

export async function customerOf({ db, payments }: ChargeDeps, userId: number): Promise<string> {
  const { customer } = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('user_id', '=', userId)
    .where('provider', '=', payments.kind)
    .executeTakeFirstOrThrow()
  return customer
}
