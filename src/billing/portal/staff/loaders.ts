import { notFound } from '@tanstack/react-router'
import { settleAll } from '../../../ui/live/settle-all.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import {
  customerBilling,
  ledger,
  plans,
  prices,
  receivables,
  revenueMonths,
  revenueOf,
  taxRates,
  terms,
  vatChecks,
} from './api.ts'
import { LEDGER_PAGE } from './Ledger.tsx'

const MAX_ID = 2_147_483_647

export const loadRevenue = (month: string | undefined, user: number | undefined) =>
  Promise.all([
    queryClient.ensureQueryData(revenueMonths()),
    month === undefined ? null : queryClient.ensureQueryData(revenueOf(month, user)),
    user === undefined ? null : queryClient.ensureQueryData(customerBilling(user)),
  ])

export const loadInvoices = () => queryClient.ensureQueryData(receivables())

export function loadCustomerBilling(id: number) {
  if (id > MAX_ID) throw notFound()
  return settleAll([
    queryClient.ensureQueryData(customerBilling(id)),
    queryClient.ensureQueryData(ledger(id, LEDGER_PAGE)),
  ])
}

export const loadPrices = () =>
  Promise.all([
    queryClient.ensureQueryData(prices()),
    queryClient.ensureQueryData(plans()),
    queryClient.ensureQueryData(terms()),
  ])

export const loadTax = () =>
  Promise.all([
    queryClient.ensureQueryData(taxRates()),
    queryClient.ensureQueryData(vatChecks()),
    queryClient.ensureQueryData(terms()),
  ])

export const loadTerms = () => queryClient.ensureQueryData(terms())
