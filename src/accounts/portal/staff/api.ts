/** Staff queries about users, each with the topics whose change events make it stale. */
import type { AccountsApi, Agent } from '../../contract.ts'
import { cursor, pages } from '../../../ui/staff/pages.ts'
import { createClient } from '../../../ui/runtime/client.ts'

type StaffAccountsApi = Pick<
  AccountsApi,
  | 'GET /api/admin/users/{id}/asn_verifications/new'
  | 'POST /api/admin/users/{id}/asn_verifications'
  | 'POST /api/admin/users/{id}/impersonation'
  | 'GET /api/admin/users/{id}/notes'
  | 'POST /api/admin/users/{id}/notes'
  | 'POST /api/admin/users/{id}/emails'
  | 'POST /api/admin/users/{id}/sessions/end'
  | 'GET /api/admin/users/{id}/suspensions'
  | 'POST /api/admin/users/{id}/suspensions'
  | 'POST /api/admin/users/{id}/suspensions/lift'
  | 'GET /api/admin/users/{id}/second_factor_resets'
  | 'POST /api/admin/users/{id}/second_factor_resets'
  | 'POST /api/admin/users/{id}/second_factor_resets/{resetId}/approve'
  | 'POST /api/admin/users/{id}/second_factor_resets/{resetId}/cancel'
  | 'GET /api/admin/staff'
  | 'POST /api/admin/staff'
  | 'PUT /api/admin/staff/{id}'
  | 'DELETE /api/admin/staff/{id}'
  | 'GET /api/admin/agents'
  | 'POST /api/admin/agents/tokens'
  | 'DELETE /api/admin/agents/{id}'
>

export const staffAccounts = createClient<StaffAccountsApi>({
  topics: {
    'GET /api/admin/users/{id}/asn_verifications/new': ['user', 'connection'],
    'GET /api/admin/users/{id}/notes': ['user'],
    'GET /api/admin/users/{id}/suspensions': ['user'],
    'GET /api/admin/users/{id}/second_factor_resets': ['user'],
    'GET /api/admin/staff': ['user'],
    'GET /api/admin/agents': ['agent', 'hypervisor', 'edge'],
  },
})

export const staffMembers = () => staffAccounts.query['GET /api/admin/staff']()

export const newAsnVerification = (id: number) =>
  staffAccounts.query['GET /api/admin/users/{id}/asn_verifications/new']({ params: { id } })

export const notesOf = (id: number, search: string) =>
  pages((before) =>
    staffAccounts.query['GET /api/admin/users/{id}/notes']({
      params: { id },
      query: { ...(search && { search }), ...cursor('before', before) },
    }),
  )

export const suspensionsOf = (id: number) =>
  staffAccounts.query['GET /api/admin/users/{id}/suspensions']({ params: { id } })

export const secondFactorResetsOf = (id: number) =>
  staffAccounts.query['GET /api/admin/users/{id}/second_factor_resets']({ params: { id } })

export const agentsOf = (kind: Agent['kind'], slug: string) =>
  staffAccounts.query['GET /api/admin/agents']({ query: { kind, slug } })
