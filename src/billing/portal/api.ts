import { createClient } from '../../portal/client.ts'
import type { BillingApi } from '../contract.ts'

export const billing = createClient<BillingApi>({
  news: { 'GET /api/account/payment_methods': ['payment_method', 'user'] },
})

export const paymentMethods = () => billing.query['GET /api/account/payment_methods']()
