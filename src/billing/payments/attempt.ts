/**
 * One attempt to charge an invoice. The attempt and its idempotency key are stored before the provider is called, and
 * each invoice has one attempt at a time. So a crash, a retry or two concurrent attempts result in one charge.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { PaymentError } from '../../drivers/payments/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { openAmount } from '../ledger/post.ts'
import { applyCreditBalance } from '../invoices/status.ts'
import type { ChargeDeps, Payment } from './charge-deps.ts'
import { recordOutcome } from './outcome.ts'

/**
 * Providers forget idempotency keys after a day (Stripe). Well before that, an attempt is looked up instead of
 * repeated.
 */
const KEY_VALID_MS = 20 * 3_600_000

/**
 * Returns the attempt under way or a new one. Returns null if there is nothing to charge, no card to charge, or an
 * open dispute.
 */
export function beginPayment(
  deps: ChargeDeps,
  invoiceId: number,
  accountId: AccountId,
  methodId: number | null,
): Promise<Payment | null> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock.now()
    await lockBillingCustomer(db, accountId)
    const invoice = await db
      .selectFrom('invoices')
      .selectAll()
      .where('id', '=', invoiceId)
      .where('account_id', '=', accountId)
      .where('status', '=', 'OPEN')
      .executeTakeFirst()
    if (!invoice) return null
    const underWay = await db
      .selectFrom('payments')
      .selectAll()
      .where('invoice_id', '=', invoiceId)
      .where('status', 'in', ['PENDING', 'ACTION_REQUIRED'])
      .executeTakeFirst()
    if (underWay) return underWay
    if (await isDisputed(db, invoiceId)) return null
    await applyCreditBalance(db, invoice, now)
    const amount = await openAmount(db, invoiceId)
    const method = await db
      .selectFrom('payment_methods')
      .select('id')
      .where('account_id', '=', accountId)
      .where('provider', '=', deps.payments.kind)
      .where('removed_at', 'is', null)
      .$if(methodId !== null, (query) => query.where('id', '=', methodId!))
      .orderBy('is_default', 'desc')
      .executeTakeFirst()
    await db
      .updateTable('invoices')
      .set((eb) => ({ charge_at: null, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', invoiceId)
      .execute()
    if (amount <= 0 || !method) return null
    return db
      .insertInto('payments')
      .values({
        account_id: accountId,
        currency: invoice.currency,
        invoice_id: invoiceId,
        method_id: method.id,
        provider: deps.payments.kind,
        amount,
        status: 'PENDING',
        reference: null,
        reason: null,
        dispute: null,
        created_at: now,
        settled_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/**
 * Does the same for a card that the customer chose. An attempt that waits for confirmation of another card is
 * canceled first. If it has succeeded by then, the invoice is paid and the chosen card is not charged.
 */
export async function beginPaymentWith(
  deps: ChargeDeps,
  invoiceId: number,
  accountId: AccountId,
  methodId: number,
): Promise<Payment | null> {
  const underWay = await beginPayment(deps, invoiceId, accountId, methodId)
  if (underWay?.status !== 'ACTION_REQUIRED' || underWay.method_id === methodId) return underWay
  const chosen = await deps.db
    .selectFrom('payment_methods')
    .select('id')
    .where('id', '=', methodId)
    .where('account_id', '=', accountId)
    .where('provider', '=', deps.payments.kind)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!chosen) return null
  const outcome = await deps.payments.cancel(underWay.reference!)
  // In one transaction; otherwise the worker could charge the default card in between.
  return inTransaction(deps.db, async (db) => {
    const within = { ...deps, db }
    const ended = await recordOutcome(
      within,
      underWay.id,
      outcome.status === 'declined' ? { status: 'failed', reason: 'Another card was chosen.' } : outcome,
    )
    return ended.status === 'SUCCEEDED' ? ended : beginPayment(within, invoiceId, accountId, methodId)
  })
}

/**
 * Returns true while a dispute about a payment of the invoice is open, because a second payment could be one too
 * many.
 */
export async function isDisputed(db: Db, invoiceId: number): Promise<boolean> {
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('dispute', '=', 'OPEN')
    .executeTakeFirst()
  return open !== undefined
}

/** Calls the provider, as often as needed, and records the outcome. Does nothing for a settled attempt. */
export async function performPayment(deps: ChargeDeps, paymentId: number): Promise<Payment> {
  const { db, payments, clock } = deps
  const row = await db
    .selectFrom('payments')
    .innerJoin('payment_methods', 'payment_methods.id', 'payments.method_id')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .innerJoin('payment_customers', (join) =>
      join
        .onRef('payment_customers.account_id', '=', 'payments.account_id')
        .onRef('payment_customers.provider', '=', 'payments.provider'),
    )
    .selectAll('payments')
    .select(['payment_methods.reference as method', 'invoices.number', 'payment_customers.customer'])
    .where('payments.id', '=', paymentId)
    .executeTakeFirstOrThrow()
  if (row.status !== 'PENDING' || row.provider !== payments.kind) return row
  const { customer, key } = row
  if (clock.now().getTime() - row.created_at.getTime() > KEY_VALID_MS) {
    const found = await payments.findCharge({ customer, idempotencyKey: key })
    if (found?.status === 'processing') return row
    return recordOutcome(deps, paymentId, found ?? { status: 'failed', reason: 'It never reached the provider.' })
  }
  try {
    const outcome = await payments.charge({
      customer,
      method: row.method,
      amount: row.amount,
      currency: row.currency,
      description: `Invoice ${row.number}`,
      idempotencyKey: key,
    })
    return await recordOutcome(deps, paymentId, outcome)
  } catch (error) {
    if (!(error instanceof PaymentError && error.kind === 'invalid')) throw error
    // The provider would return this error each time, and no other card could pay in the meantime. No money has moved
    // unless an earlier response was lost.
    const found = await payments.findCharge({ customer, idempotencyKey: key })
    if (found?.status === 'processing') return row
    const refused = { status: 'declined', reference: null, reason: 'The card cannot be charged any more.' } as const
    return recordOutcome(deps, paymentId, found ?? refused)
  }
}
