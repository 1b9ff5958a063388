import { createClient } from '../../ui/runtime/client.ts'
import type { BillingApi } from '../contract.ts'

export const billing = createClient<BillingApi>({
  topics: {
    'GET /api/account/payment_methods': ['payment_method', 'user'],
    'GET /api/billing': ['invoice', 'payment', 'router', 'user'],
    'GET /api/billing/address': ['invoice', 'payment'],
    'GET /api/invoices': ['invoice', 'payment'],
  },
})

export const paymentMethods = () => billing.query['GET /api/account/payment_methods']()
export const overview = () => billing.query['GET /api/billing']()
export const invoices = () => billing.query['GET /api/invoices']()
export const transitUsageToDate = () => billing.query['GET /api/billing/transit']({ query: {} })
export const transitSamples = () => billing.query['GET /api/billing/transit/samples']({ query: {} })
