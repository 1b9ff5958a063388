/** The public API of billing for other slices and the application. */
import type { Reconciler } from '../platform/reconcile.ts'
import { vatReconciler } from './customers/vat-job.ts'
import { dunningReconciler } from './dunning/dunning-job.ts'
import { draftReconciler } from './invoices/draft-job.ts'
import { invoiceEmails } from './invoices/email-job.ts'
import { invoiceRun } from './invoices/run-job.ts'
import { usageReconciler } from './metering/usage-job.ts'
import { detachReconciler } from './detach-job.ts'
import { chargeReconciler, openPaymentReconciler, providerEventReconciler } from './payments/jobs.ts'
import { refundReconciler } from './payments/refunds.ts'
import { priceNotices } from './prices/notice-job.ts'
import { priceReconciler } from './prices/versions.ts'
import { chargeDepsOf, type BillingDeps } from './routes.ts'

/** The jobs of the leading worker for billing: prices, metering, the monthly run, payments and dunning. */
export function billingReconcilers(deps: BillingDeps): Reconciler[] {
  const charges = chargeDepsOf(deps)
  return [
    priceReconciler(deps),
    priceNotices(charges),
    usageReconciler(deps),
    invoiceRun(deps),
    draftReconciler(deps),
    invoiceEmails(charges),
    vatReconciler(deps),
    detachReconciler(deps),
    chargeReconciler(charges),
    openPaymentReconciler(charges),
    providerEventReconciler(charges),
    refundReconciler(charges),
    dunningReconciler(charges),
  ]
}

export { billingApi } from './contract.ts'
export { billingRoutes, type BillingDeps } from './routes.ts'
export { addPaymentMethod, type PaymentDeps } from './payment-methods.ts'
export { viewInvoiceOf } from './invoices/view.ts'
export { seedBilling } from './seed.ts'
export { describeHistoricCustomers, seedHistoricMonths } from './demo-history.ts'
export { createRevenue, type Revenue, type RevenueLine, type RevenueLines } from './revenue/revenue.ts'
/** For `closingBlockers` of accounts. */
export { currencyConflict } from './invoices/closing.ts'
/** For order handlers: throws 402 or 409 if a new account would exceed its limits. */
export { requireWithinLimits } from './customers/limits.ts'
/** For the operator's CLI: a plan has a price from the moment it is added. */
export { addPlanPrices } from './prices/versions.ts'
/** The setup fees of routers and transit. */
export { routerPricing, transitSetUp } from './fees/setup-fee.ts'
export { resolveCurrency } from './currency.ts'
