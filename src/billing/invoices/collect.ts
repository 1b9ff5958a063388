/** Staff request a charge attempt: it is made due now and the worker charges it. */
import { conflict } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordBillingEvent } from '../events.ts'
import { openAmount } from '../ledger/post.ts'
import { publishBillingChanged } from '../customers/customers.ts'
import { INVOICE_LABELS } from '../states.ts'
import { lockInvoice } from './credit.ts'

export interface CollectInput {
  readonly invoiceId: number
  readonly reason: string
  readonly provider: 'stripe' | 'test'
}

export async function requestCollection(db: Db, actor: Actor, input: CollectInput, now: Date): Promise<void> {
  const invoice = await lockInvoice(db, input.invoiceId)
  if (invoice.status !== 'OPEN')
    throw conflict(`This invoice is ${INVOICE_LABELS[invoice.status]}: there is nothing to collect.`)
  const underWay = await db
    .selectFrom('payments')
    .select('status')
    .where('invoice_id', '=', invoice.id)
    .where('status', 'in', ['PENDING', 'ACTION_REQUIRED'])
    .executeTakeFirst()
  if (underWay) {
    throw conflict(
      underWay.status === 'PENDING'
        ? 'A payment is in progress.'
        : 'A payment is awaiting confirmation by the cardholder.',
      'payment_in_progress',
    )
  }
  const method = await db
    .selectFrom('payment_methods')
    .select('id')
    .where('account_id', '=', invoice.account_id)
    .where('provider', '=', input.provider)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!method) throw conflict('The customer has no payment method to charge.')
  await db.updateTable('invoices').set({ charge_at: now }).where('id', '=', invoice.id).execute()
  const subject = { type: 'invoice', id: invoice.id, accountId: invoice.account_id }
  const { number, currency } = invoice
  const data = { number, currency, reason: input.reason, open: await openAmount(db, invoice.id) }
  await recordBillingEvent(db, actor, subject, 'invoice.collect_requested', data)
  // Wakes the worker that charges.
  await publishBillingChanged(db, invoice.account_id)
}
