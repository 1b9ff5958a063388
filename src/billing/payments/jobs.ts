/** The payment jobs of the worker: charge what is due, end attempts that hang, and process provider events. */
import type { ProviderEvent } from '../../drivers/payments/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { beginPayment, performPayment } from './attempt.ts'
import type { ChargeDeps } from './charge-deps.ts'
import { recordOutcome } from './outcome.ts'
import { takeProviderEvent } from './provider-events.ts'

/** How long the cardholder has to confirm a charge. */
const CONFIRM_WITHIN_MS = 24 * 3_600_000
/** By then the process that started an attempt has ended it or has crashed. */
const ABANDONED_AFTER_MS = 60_000

/** Charges due invoices automatically. An invoice with a disputed payment is never charged again automatically. */
export function chargeReconciler(deps: ChargeDeps): Reconciler {
  const { db, clock } = deps
  return {
    name: 'charges',
    everyMs: 10_000,
    concurrency: 4,
    wakes: (changeEvent) => (changeEvent.type === 'invoice' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('invoices')
        .select('id')
        .where('status', '=', 'OPEN')
        .where('charge_at', '<=', clock.now())
        .orderBy('charge_at')
        .limit(200)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const invoice = await db
        .selectFrom('invoices')
        .select(['account_id'])
        .where('id', '=', id)
        .where('status', '=', 'OPEN')
        .where('charge_at', '<=', clock.now())
        .executeTakeFirst()
      if (!invoice) return
      const payment = await beginPayment(deps, id, invoice.account_id, null)
      if (payment) await performPayment(deps, payment.id)
    },
  }
}

export function openPaymentReconciler(deps: ChargeDeps): Reconciler {
  const { db, clock, payments } = deps
  const before = (ageMs: number) => new Date(clock.now().getTime() - ageMs)
  return {
    name: 'open-payments',
    everyMs: 30_000,
    concurrency: 2,
    wakes: () => null,
    async due() {
      const rows = await db
        .selectFrom('payments')
        .select('id')
        .where('provider', '=', payments.kind)
        .where((eb) =>
          eb.or([
            eb.and([eb('status', '=', 'PENDING'), eb('created_at', '<=', before(ABANDONED_AFTER_MS))]),
            eb.and([eb('status', '=', 'ACTION_REQUIRED'), eb('created_at', '<=', before(CONFIRM_WITHIN_MS))]),
          ]),
        )
        .orderBy('created_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const payment = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
      if (payment?.status === 'PENDING') await performPayment(deps, id)
      if (payment?.status !== 'ACTION_REQUIRED' || payment.created_at > before(CONFIRM_WITHIN_MS)) return
      await recordOutcome(deps, id, await payments.cancel(payment.reference!))
    },
  }
}

/** Polls events from a provider without a webhook. */
export function providerEventReconciler(deps: ChargeDeps): Reconciler {
  // An event may arrive before the response to the charge that it is about.
  let early: readonly ProviderEvent[] = []
  return {
    name: 'provider-events',
    everyMs: 5_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    async reconcile() {
      const events = [...early, ...deps.payments.takeEvents()]
      const unknown: ProviderEvent[] = []
      for (const event of events) if (!(await takeProviderEvent(deps, event))) unknown.push(event)
      early = unknown.slice(-100)
    },
  }
}
