/** The staff's calls outside GraphQL, each with the nouns whose news make its answer old. */
import type { AccountsApi } from '../../accounts/contract.ts'
import { createClient } from '../../portal/client.ts'
import type { RoutersApi } from '../../routers/contract.ts'
import type { StockApi } from '../../routers/stock/contract.ts'
import type { TransitApi } from '../../transit/contract.ts'
import type { SearchApi } from '../search/contract.ts'

type StaffApi = Pick<
  AccountsApi,
  | 'GET /api/admin/users/{id}/asn_verifications/new'
  | 'POST /api/admin/users/{id}/asn_verifications'
  | 'POST /api/admin/users/{id}/acting'
  | 'GET /api/admin/staff'
  | 'POST /api/admin/staff'
  | 'PUT /api/admin/staff/{id}'
  | 'DELETE /api/admin/staff/{id}'
> &
  Pick<
    TransitApi,
    | 'GET /api/admin/transit_prefixes/{id}'
    | 'POST /api/admin/transit_prefixes/{id}/approve'
    | 'POST /api/admin/transit_prefixes/{id}/reject'
    | 'POST /api/admin/transit_prefixes/{id}/suspend'
  > &
  Pick<RoutersApi, 'GET /api/admin/virtual_machines/{id}'> &
  StockApi &
  Pick<TransitApi, 'GET /api/admin/edge' | 'PATCH /api/admin/edge'> &
  SearchApi

export const staff = createClient<StaffApi>({
  news: {
    'GET /api/admin/users/{id}/asn_verifications/new': ['user', 'connection'],
    'GET /api/admin/staff': ['user'],
    'GET /api/admin/transit_prefixes/{id}': ['prefix', 'connection', 'session', 'router', 'user'],
    'GET /api/admin/virtual_machines/{id}': ['router', 'connection'],
    'GET /api/admin/sites': ['site', 'pool', 'hypervisor', 'router'],
    'GET /api/admin/hypervisors': ['hypervisor', 'pool', 'site', 'router'],
    'GET /api/admin/hypervisors/{id}/drain': ['hypervisor', 'router'],
    'GET /api/admin/address_pools': ['pool', 'site', 'router'],
    'GET /api/admin/address_pools/{id}/addresses': ['router'],
    'GET /api/admin/images': ['image', 'router'],
    'GET /api/admin/edge': ['edge', 'session'],
  },
})

export const staffMembers = () => staff.query['GET /api/admin/staff']()
export const prefixWithOwner = (id: number) => staff.query['GET /api/admin/transit_prefixes/{id}']({ params: { id } })
export const routerWithOwner = (id: number) => staff.query['GET /api/admin/virtual_machines/{id}']({ params: { id } })
export const newAsnVerification = (id: number) =>
  staff.query['GET /api/admin/users/{id}/asn_verifications/new']({ params: { id } })
