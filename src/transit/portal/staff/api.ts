/** The staff queries about prefixes and edges, each with the topics whose change events invalidate it. */
import { createClient } from '../../../ui/runtime/client.ts'
import type { TransitApi } from '../../contract.ts'

type StaffTransitApi = Pick<
  TransitApi,
  | 'GET /api/admin/transit_prefixes/{id}'
  | 'GET /api/admin/transit_prefixes/{id}/loas'
  | 'GET /api/admin/transit_prefixes/next'
  | 'DELETE /api/admin/transit_prefixes/{id}/decision'
  | 'POST /api/admin/transit_prefixes/decisions'
  | 'POST /api/admin/transit_prefixes/decisions/undo'
  | 'GET /api/admin/transit_prefixes/decisions'
  | 'POST /api/admin/transit_prefixes/{id}/approve'
  | 'POST /api/admin/transit_prefixes/{id}/reject'
  | 'POST /api/admin/transit_prefixes/{id}/suspend'
  | 'GET /api/admin/transit_prefixes/{id}/contact_links/new'
  | 'POST /api/admin/transit_prefixes/{id}/contact_links'
  | 'GET /api/admin/users/{id}/prefix_quota'
  | 'PUT /api/admin/users/{id}/prefix_quota'
  | 'GET /api/admin/prefix_policy'
  | 'PUT /api/admin/prefix_policy'
> &
  Pick<
    TransitApi,
    | 'GET /api/admin/sessions'
    | 'GET /api/admin/sessions/down'
    | 'GET /api/admin/users/{id}/session_outages'
    | 'GET /api/admin/topology'
    | 'GET /api/admin/looking_glass'
    | 'GET /api/admin/edges'
    | 'POST /api/admin/edges'
    | 'PATCH /api/admin/edges/{id}'
    | 'DELETE /api/admin/edges/{id}'
    | 'GET /api/admin/edges/{id}/loads'
    | 'POST /api/admin/edges/{id}/loads/{load}/confirm'
    | 'POST /api/admin/edges/{id}/loads/{load}/revert'
    | 'DELETE /api/admin/edges/{id}/revert'
    | 'GET /api/admin/maintenance_windows'
    | 'POST /api/admin/maintenance_windows'
    | 'POST /api/admin/maintenance_windows/preview'
    | 'PATCH /api/admin/maintenance_windows/{id}'
  >

export const staffTransit = createClient<StaffTransitApi>({
  topics: {
    'GET /api/admin/transit_prefixes/{id}': ['prefix', 'connection', 'session', 'router', 'user'],
    'GET /api/admin/transit_prefixes/{id}/loas': ['prefix', 'user'],
    'GET /api/admin/transit_prefixes/next': ['prefix'],
    'GET /api/admin/transit_prefixes/decisions': ['prefix'],
    'GET /api/admin/transit_prefixes/{id}/contact_links/new': [],
    'GET /api/admin/users/{id}/prefix_quota': ['prefix', 'user'],
    'GET /api/admin/prefix_policy': [],
    'GET /api/admin/sessions/down': ['session', 'edge', 'connection', 'router'],
    'GET /api/admin/users/{id}/session_outages': ['session', 'connection'],
    'GET /api/admin/topology': ['session', 'edge', 'connection', 'router', 'hypervisor', 'site', 'prefix'],
    'GET /api/admin/edges': ['edge', 'session', 'site', 'connection'],
    'GET /api/admin/edges/{id}/loads': ['edge'],
    'GET /api/admin/maintenance_windows': ['maintenance', 'router', 'connection', 'edge', 'site', 'hypervisor'],
  },
})

export const prefixWithOwner = (id: number) =>
  staffTransit.query['GET /api/admin/transit_prefixes/{id}']({ params: { id } })

export const loasOfPrefix = (id: number) =>
  staffTransit.query['GET /api/admin/transit_prefixes/{id}/loas']({ params: { id } })

/** The requests to decide before and after this prefix, or the newest without `from`. */
export const nextToDecide = (from?: number) =>
  staffTransit.query['GET /api/admin/transit_prefixes/next']({ query: from === undefined ? {} : { from } })

export const contactLinkDraft = (id: number, purpose: 'SPACE' | 'DOWNSTREAM') =>
  staffTransit.query['GET /api/admin/transit_prefixes/{id}/contact_links/new']({ params: { id }, query: { purpose } })

export const prefixQuota = (id: number) =>
  staffTransit.query['GET /api/admin/users/{id}/prefix_quota']({ params: { id } })

export const prefixPolicy = () => staffTransit.query['GET /api/admin/prefix_policy']()

export const downSessions = () => staffTransit.query['GET /api/admin/sessions/down']()

export const sessionOutagesOf = (id: number) =>
  staffTransit.query['GET /api/admin/users/{id}/session_outages']({ params: { id } })

export const topology = () => staffTransit.query['GET /api/admin/topology']()

export const edges = () => staffTransit.query['GET /api/admin/edges']()

export const maintenanceWindows = () => staffTransit.query['GET /api/admin/maintenance_windows']()
