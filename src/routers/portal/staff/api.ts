/** The staff's requests about routers and the inventory, each with the topics that make its response stale. */
import { createClient } from '../../../ui/runtime/client.ts'
import type { RouterFilter, RoutersApi } from '../../contract.ts'
import type { RouterSort } from '../../states.ts'
import type { InventoryApi } from '../../inventory/contract.ts'
import { cursor, pages } from '../../../ui/staff/pages.ts'

type StaffRoutersApi = Pick<
  RoutersApi,
  | 'GET /api/admin/traffic'
  | 'GET /api/admin/virtual_machines/{id}'
  | 'GET /api/admin/virtual_machines'
  | 'POST /api/admin/virtual_machines/{id}/restore'
  | 'POST /api/admin/virtual_machines/{id}/retry'
  | 'POST /api/admin/virtual_machines/{id}/actions'
  | 'POST /api/admin/virtual_machines/actions'
  | 'PUT /api/admin/virtual_machines/{id}/deletion_protection'
> &
  InventoryApi

export const staffRouters = createClient<StaffRoutersApi>({
  topics: {
    'GET /api/admin/virtual_machines/{id}': ['router', 'connection', 'session'],
    'GET /api/admin/sites': ['site', 'pool', 'hypervisor', 'router'],
    'GET /api/admin/hypervisors': ['hypervisor', 'pool', 'site', 'router'],
    'GET /api/admin/hypervisors/{id}/drain': ['hypervisor', 'router'],
    'GET /api/admin/address_pools': ['pool', 'site', 'router'],
    'GET /api/admin/address_pools/{id}/addresses': ['router'],
    'GET /api/admin/images': ['image', 'router'],
    'GET /api/admin/virtual_machines': ['router', 'hypervisor', 'site'],
  },
})

export const routerWithOwner = (id: number) =>
  staffRouters.query['GET /api/admin/virtual_machines/{id}']({ params: { id } })

export const totalTraffic = () => staffRouters.query['GET /api/admin/traffic']()

export const sites = () => staffRouters.query['GET /api/admin/sites']()

export const hypervisors = () => staffRouters.query['GET /api/admin/hypervisors']()

export const drainOf = (id: number) => staffRouters.query['GET /api/admin/hypervisors/{id}/drain']({ params: { id } })

export const pools = () => staffRouters.query['GET /api/admin/address_pools']()

export const images = () => staffRouters.query['GET /api/admin/images']()

export const addressesOf = (id: number) =>
  pages((after) =>
    staffRouters.query['GET /api/admin/address_pools/{id}/addresses']({
      params: { id },
      query: cursor('after', after),
    }),
  )

export const routersFor = (filter: RouterFilter, sort?: RouterSort) =>
  pages((before) =>
    staffRouters.query['GET /api/admin/virtual_machines']({
      query: { ...filter, ...(sort && { sort }), ...cursor('before', before) },
    }),
  )
