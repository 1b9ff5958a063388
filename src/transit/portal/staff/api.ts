/** The staff's calls about prefixes and edges, each with the nouns whose news make its answer old. */
import { createClient } from '../../../ui/runtime/client.ts'
import type { TransitApi } from '../../contract.ts'

type StaffTransitApi = Pick<
  TransitApi,
  | 'GET /api/admin/transit_prefixes/{id}'
  | 'POST /api/admin/transit_prefixes/{id}/approve'
  | 'POST /api/admin/transit_prefixes/{id}/reject'
  | 'POST /api/admin/transit_prefixes/{id}/suspend'
  | 'GET /api/admin/transit_prefixes/{id}/contact_links/new'
  | 'POST /api/admin/transit_prefixes/{id}/contact_links'
  | 'GET /api/admin/prefix_policy'
  | 'PUT /api/admin/prefix_policy'
> &
  Pick<
    TransitApi,
    | 'GET /api/admin/sessions'
    | 'GET /api/admin/edges'
    | 'POST /api/admin/edges'
    | 'PATCH /api/admin/edges/{id}'
    | 'DELETE /api/admin/edges/{id}'
    | 'GET /api/admin/edges/{id}/loads'
    | 'POST /api/admin/edges/{id}/loads/{load}/confirm'
    | 'POST /api/admin/edges/{id}/loads/{load}/revert'
    | 'DELETE /api/admin/edges/{id}/revert'
  >

export const staffTransit = createClient<StaffTransitApi>({
  topics: {
    'GET /api/admin/transit_prefixes/{id}': ['prefix', 'connection', 'session', 'router', 'user'],
    'GET /api/admin/transit_prefixes/{id}/contact_links/new': [],
    'GET /api/admin/prefix_policy': [],
    'GET /api/admin/edges': ['edge', 'session', 'site', 'connection'],
    'GET /api/admin/edges/{id}/loads': ['edge'],
  },
})

export const prefixWithOwner = (id: number) =>
  staffTransit.query['GET /api/admin/transit_prefixes/{id}']({ params: { id } })

export const contactLinkDraft = (id: number, purpose: 'SPACE' | 'DOWNSTREAM') =>
  staffTransit.query['GET /api/admin/transit_prefixes/{id}/contact_links/new']({ params: { id }, query: { purpose } })

export const prefixPolicy = () => staffTransit.query['GET /api/admin/prefix_policy']()

export const edges = () => staffTransit.query['GET /api/admin/edges']()
