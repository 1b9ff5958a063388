import { createClient } from '../../ui/runtime/client.ts'
import type { TransitApi } from '../../transit/contract.ts'
import type { AccountsApi } from '../contract.ts'

export const accounts = createClient<AccountsApi>({
  topics: {
    'GET /api/sessions': ['user'],
    'GET /api/user/passkeys': ['user'],
    'GET /api/user/recovery_codes': ['user'],
    'GET /api/user/api_tokens': ['user'],
    'GET /api/user/ssh_keys': ['user'],
    'GET /api/user/mail_preferences': ['user'],
    'GET /api/user/close': ['user', 'router', 'invoice'],
    'GET /api/user/asn_proofs': ['user', 'connection'],
  },
})

/** The account's ASN is set through its connection. */
export const connection =
  createClient<Pick<TransitApi, 'GET /api/transit_connection' | 'PUT /api/transit_connection'>>()
