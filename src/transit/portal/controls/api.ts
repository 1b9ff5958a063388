import { createClient } from '../../../ui/runtime/client.ts'
import type { TransitApi } from '../../contract.ts'

type ControlsApi = Pick<
  TransitApi,
  | 'PUT /api/transit_connection/shutdown'
  | 'DELETE /api/transit_connection/shutdown'
  | 'PUT /api/transit_connection/drain'
  | 'DELETE /api/transit_connection/drain'
  | 'PUT /api/transit_connection/password_change'
  | 'POST /api/transit_connection/password_change/start'
  | 'DELETE /api/transit_connection/password_change'
  | 'POST /api/transit_connection/sessions/{family}/clear'
  | 'PUT /api/transit_connection/sessions/{family}/bfd'
  | 'GET /api/transit_connection/limit_requests'
  | 'POST /api/transit_connection/limit_requests'
  | 'GET /api/transit_blackholes'
  | 'POST /api/transit_blackholes'
  | 'DELETE /api/transit_blackholes/{id}'
>

export const controls = createClient<ControlsApi>({
  topics: {
    'GET /api/transit_connection/limit_requests': ['connection'],
    'GET /api/transit_blackholes': ['connection'],
  },
})

export const limitRequests = () => controls.query['GET /api/transit_connection/limit_requests']()
export const blackholes = () => controls.query['GET /api/transit_blackholes']()
