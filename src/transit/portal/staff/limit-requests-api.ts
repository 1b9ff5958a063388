import { createClient } from '../../../ui/runtime/client.ts'
import type { TransitApi } from '../../contract.ts'

export const limitRequestClient = createClient<
  Pick<TransitApi, 'GET /api/admin/limit_requests' | 'POST /api/admin/limit_requests/{id}/decide'>
>({ topics: { 'GET /api/admin/limit_requests': ['connection'] } })

export const limitRequestsToDecide = () => limitRequestClient.query['GET /api/admin/limit_requests']()
