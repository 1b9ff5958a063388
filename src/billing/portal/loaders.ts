import { queryClient } from '../../portal/live/query-client.ts'
import { paymentMethods } from './api.ts'

export const loadBilling = () => queryClient.ensureQueryData(paymentMethods())
