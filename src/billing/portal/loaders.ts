import { queryClient } from '../../portal/live/query-client.ts'
import { invoices, overview, paymentMethods, transitStanding } from './api.ts'

export const loadBilling = () =>
  Promise.all([
    queryClient.ensureQueryData(paymentMethods()),
    queryClient.ensureQueryData(overview()),
    queryClient.ensureQueryData(invoices()),
    queryClient.ensureQueryData(transitStanding()),
  ])
