import { createClient } from '../../ui/runtime/client.ts'
import type { BillingApi } from '../contract.ts'

export const billing = createClient<BillingApi>({
  topics: {
    'GET /api/account/payment_methods': ['payment_method', 'user'],
    'GET /api/billing': ['invoice', 'payment', 'router', 'user'],
    'GET /api/billing/days': ['invoice', 'router'],
    'GET /api/billing/address': ['invoice', 'payment'],
    'GET /api/invoices/{id}': ['invoice', 'payment'],
    'GET /api/invoices': ['invoice', 'payment'],
  },
})

export const paymentMethods = () => billing.query['GET /api/account/payment_methods']()
export const overview = () => billing.query['GET /api/billing']()
export const costByDay = () => billing.query['GET /api/billing/days']()
export const ownInvoice = (id: number) => billing.query['GET /api/invoices/{id}']({ params: { id } })
export const invoices = () => billing.query['GET /api/invoices']()
export const transitUsageToDate = () => billing.query['GET /api/billing/transit']({ query: {} })
export const transitSamples = () => billing.query['GET /api/billing/transit/samples']({ query: {} })
