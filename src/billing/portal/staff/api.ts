/** Staff queries of billing, each with the topics whose change events make it stale. */
import type { Answer } from '../../../kernel/endpoint.ts'
import { createClient } from '../../../ui/runtime/client.ts'
import type { BillingApi } from '../../contract.ts'

const MONEY = ['invoice', 'payment', 'router', 'user'] as const

export const money = createClient<BillingApi>({
  topics: {
    'GET /api/admin/revenue': MONEY,
    'GET /api/admin/revenue/days': MONEY,
    'GET /api/admin/revenue/invoicing': MONEY,
    'GET /api/admin/revenue/months': MONEY,
    'GET /api/admin/revenue/customers': MONEY,
    'GET /api/admin/invoices/{id}': ['invoice', 'payment'],
    'GET /api/admin/billing/receivables': ['invoice', 'payment'],
    'GET /api/admin/users/{id}/billing': [...MONEY, 'payment_method'],
    'GET /api/admin/users/{id}/ledger': ['invoice', 'payment'],
    'GET /api/admin/prices': ['price'],
    'GET /api/admin/plans': ['price', 'router'],
    'GET /api/admin/billing/tax_rates': ['tax'],
    'GET /api/admin/billing/vat_checks': ['invoice', 'payment', 'user'],
  },
})

export type Of<K extends keyof BillingApi> = Answer<BillingApi[K]>
export type RevenueMonth = Of<'GET /api/admin/revenue/months'>['months'][number]
export type RevenueLine = Of<'GET /api/admin/revenue'>['lines'][number]
export type ListedInvoice = Of<'GET /api/admin/invoices'>['invoices'][number]
export type CustomerBilling = Of<'GET /api/admin/users/{id}/billing'>
export type Plan = Of<'GET /api/admin/plans'>[number]
export type TaxRate = Of<'GET /api/admin/billing/tax_rates'>[number]
export type Terms = Of<'GET /api/admin/billing/settings'>

export const revenueDays = () => money.query['GET /api/admin/revenue/days']()
export const invoicing = () => money.query['GET /api/admin/revenue/invoicing']()
export const revenueMonths = () => money.query['GET /api/admin/revenue/months']()
export const revenueOf = (month: string | undefined, user?: number) =>
  money.query['GET /api/admin/revenue']({
    query: { ...(month !== undefined && { month }), ...(user !== undefined && { user }), limit: 1 },
  })
export const receivables = () => money.query['GET /api/admin/billing/receivables']()
export const customerBilling = (id: number) => money.query['GET /api/admin/users/{id}/billing']({ params: { id } })
export const ledger = (id: number, limit: number) =>
  money.query['GET /api/admin/users/{id}/ledger']({ params: { id }, query: { limit } })
export const prices = () => money.query['GET /api/admin/prices']()
export const plans = () => money.query['GET /api/admin/plans']()
export const taxRates = () => money.query['GET /api/admin/billing/tax_rates']()
export const vatChecks = () => money.query['GET /api/admin/billing/vat_checks']()
export const terms = () => money.query['GET /api/admin/billing/settings']()
