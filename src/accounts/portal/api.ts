import { createClient } from '../../portal/client.ts'
import type { TransitApi } from '../../transit/contract.ts'
import type { AccountsApi } from '../contract.ts'

export const accounts = createClient<AccountsApi>({
  news: {
    'GET /api/sessions': ['session', 'user'],
    'GET /api/user/ssh_keys': ['ssh_key', 'user'],
    'GET /api/audit_events': ['user', 'session', 'router', 'prefix', 'connection', 'payment_method', 'invoice'],
  },
})

/** The ASN of an account is set through its connection. */
export const connection = createClient<Pick<TransitApi, 'GET /api/transit_connection' | 'PUT /api/transit_connection'>>(
  {
    news: { 'GET /api/transit_connection': ['connection', 'user', 'router'] },
  },
)
