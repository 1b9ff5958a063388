/**
 * What a provider tells by itself. An event counts once. It only says where to look: the state of a charge is asked of
 * the provider, so late, repeated and overtaking deliveries end in the same books.
 */
import type { ProviderEvent } from '../../drivers/payments/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import { refreshStatus } from '../invoices/status.ts'
import { book } from '../ledger/post.ts'
import type { ChargeDeps, Payment } from './attempt.ts'
import { recordOutcome } from './outcome.ts'

/** False when it is about a charge that we do not know: of somebody else on the same account, or not yet. */
export async function takeProviderEvent(deps: ChargeDeps, event: ProviderEvent): Promise<boolean> {
  if (event.kind === 'other' || event.reference === null) return true
  const payment = await findPayment(deps, event.reference)
  if (!payment) return false
  if (event.kind === 'charge-changed') {
    const customer = await customerOf(deps, payment.user_id)
    const found = await deps.payments.findCharge({ customer, reference: event.reference })
    if (found && found.status !== 'processing') await recordOutcome(deps, payment.id, found)
    return true
  }
  await inTransaction(deps.db, async (db) => {
    const claimed = await db
      .insertInto('provider_events')
      .values({ provider: deps.payments.kind, event: event.id, received_at: deps.clock.now() })
      .onConflict((clash) => clash.doNothing())
      .executeTakeFirst()
    if (claimed.numInsertedOrUpdatedRows === 1n) await takeDispute(db, payment, event, deps.clock.now())
  })
  return true
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

/** OPEN comes before WON and LOST whatever the order of delivery: an ended dispute does not open again. */
async function takeDispute(db: Db, { id, invoice_id: invoiceId }: Payment, event: ProviderEvent, now: Date) {
  const { user_id: userId } = await db
    .selectFrom('payments')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await lockBillingCustomer(db, userId)
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (payment.dispute === 'WON' || payment.dispute === 'LOST') return
  const amount = Math.min(event.amount ?? payment.amount, payment.amount)
  const taken = { userId, currency: payment.currency, at: now }
  const subject = { type: 'payment', id, userId }
  await book(db, [
    {
      ...taken,
      source: `dispute:${id}`,
      postings: [
        { account: 'receivable', amount, invoiceId },
        { account: 'cash', amount: -amount, invoiceId },
      ],
    },
  ])
  const end = event.kind === 'dispute-won' ? 'WON' : event.kind === 'dispute-lost' ? 'LOST' : 'OPEN'
  if (end === 'WON') {
    await book(db, [
      {
        ...taken,
        source: `dispute-won:${id}`,
        postings: [
          { account: 'cash', amount, invoiceId },
          { account: 'receivable', amount: -amount, invoiceId },
        ],
      },
    ])
  }
  await db.updateTable('payments').set({ dispute: end }).where('id', '=', id).execute()
  await refreshStatus(db, invoiceId, now)
  const action = end === 'WON' ? 'payment.dispute_won' : end === 'LOST' ? 'payment.dispute_lost' : 'payment.disputed'
  await recordBillingEvent(db, SYSTEM, subject, action, { amount })
}
