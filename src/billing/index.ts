/** Billing, as the later slices and the application may call it. */
export { billingApi } from './contract.ts'
export { billingRoutes, type BillingDeps } from './routes.ts'
export { addPaymentMethod, type PaymentDeps } from './payment-methods.ts'
export { createRevenue, type Revenue, type RevenueLine, type RevenueLines } from './revenue.ts'
