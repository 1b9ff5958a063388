import { ownConnection } from '../../transit/portal/api.ts'
import { queryClient } from '../../ui/live/query-client.ts'
import { invoices, ownInvoice, overview, paymentMethods, transitUsageToDate } from './api.ts'

export const loadBilling = () =>
  Promise.all([
    queryClient.ensureQueryData(paymentMethods()),
    queryClient.ensureQueryData(overview()),
    queryClient.ensureQueryData(invoices()),
    queryClient.ensureQueryData(transitUsageToDate()),
  ])

export const loadOrderTerms = () =>
  Promise.all([
    queryClient.ensureQueryData(paymentMethods()),
    queryClient.ensureQueryData(overview()),
    queryClient.ensureQueryData(ownConnection()),
    queryClient.ensureQueryData(transitUsageToDate()),
  ])

export const loadInvoice = (id: number) =>
  Promise.all([queryClient.ensureQueryData(ownInvoice(id)), queryClient.ensureQueryData(paymentMethods())])
