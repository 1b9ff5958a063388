/**
 * A bank takes a payment back and may return it. Staff have days to answer at the provider, so they get an email. The
 * customer is told what the invoice is now, because the cardholder may not be the person who reads invoices.
 */
import type { ProviderEvent } from '../../drivers/payments/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import { refreshStatus } from '../invoices/status.ts'
import { postToLedger } from '../ledger/post.ts'
import type { BillingEmails } from '../emails.ts'
import type { Payment } from './charge-deps.ts'

const ACTIONS = {
  OPEN: 'payment.disputed',
  WON: 'payment.dispute_won',
  LOST: 'payment.dispute_lost',
} as const

/** Applies OPEN before WON and LOST, whatever the order of delivery: an ended dispute does not open again. */
export async function takeDispute(
  { db, emails, now }: { readonly db: Db; readonly emails: BillingEmails; readonly now: Date },
  { id, account_id: accountId, invoice_id: invoiceId }: Payment,
  event: ProviderEvent,
): Promise<void> {
  await lockBillingCustomer(db, accountId)
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (payment.dispute === 'WON' || payment.dispute === 'LOST') return
  const taken = { accountId, currency: payment.currency, at: now }
  await postToLedger(db, [
    {
      ...taken,
      source: `dispute:${id}`,
      postings: moved(Math.min(event.amount ?? payment.amount, payment.amount), invoiceId),
    },
  ])
  // The amount returned is the amount that was taken, whatever the last event says.
  const amount = await amountTaken(db, id)
  const end = event.kind === 'dispute-won' ? 'WON' : event.kind === 'dispute-lost' ? 'LOST' : 'OPEN'
  if (end === 'WON') {
    await postToLedger(db, [{ ...taken, source: `dispute-won:${id}`, postings: moved(-amount, invoiceId) }])
  }
  await db.updateTable('payments').set({ dispute: end }).where('id', '=', id).execute()
  await refreshStatus(db, invoiceId, now)
  if (end === payment.dispute) return
  await recordBillingEvent(db, SYSTEM, { type: 'payment', id, accountId }, ACTIONS[end], {
    amount,
    currency: payment.currency,
  })
  await emails.send(db, accountId, { kind: 'dispute', end, invoiceId, amount })
}

/** The money leaves the bank and is owed again. */
const moved = (amount: number, invoiceId: number) => [
  { account: 'receivable' as const, amount, invoiceId },
  { account: 'cash' as const, amount: -amount, invoiceId },
]

async function amountTaken(db: Db, paymentId: number): Promise<number> {
  const { amount } = await db
    .selectFrom('ledger_transactions as booked')
    .innerJoin('ledger_entries as entry', 'entry.transaction_id', 'booked.id')
    .select('entry.amount')
    .where('source', '=', `dispute:${paymentId}`)
    .where('account', '=', 'receivable')
    .executeTakeFirstOrThrow()
  return amount
}
