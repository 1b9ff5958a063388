/** The API contract of billing. The browser imports only its types. */
import type { z } from 'zod'
import type { Answer } from '../kernel/endpoint.ts'
import { customerApi } from './contract/customer.ts'
import { filesApi } from './contract/files.ts'
import { paymentMethodsApi } from './contract/payment-methods.ts'
import type { invoice, line, overview, payment, price } from './contract/shapes.ts'
import { staffApi } from './contract/staff.ts'
import type { staffInvoice } from './contract/staff-invoices.ts'

export const billingApi = { ...paymentMethodsApi, ...customerApi, ...filesApi, ...staffApi }

export type BillingApi = typeof billingApi
export type PaymentMethod = Answer<BillingApi['GET /api/account/payment_methods']>[number]
export type Invoice = z.output<typeof invoice>
export type StaffInvoice = z.output<typeof staffInvoice>
export type InvoiceLine = z.output<typeof line>
export type InvoicePayment = z.output<typeof payment>
export type BillingOverview = z.output<typeof overview>
export type Price = z.output<typeof price>
export type PaymentAttempt = Answer<BillingApi['POST /api/invoices/{id}/pay']>
export type TransitUsageToDate = Answer<BillingApi['GET /api/billing/transit']>
