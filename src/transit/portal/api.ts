import { createClient } from '../../ui/runtime/client.ts'
import type { TransitApi } from '../contract.ts'

export const transit = createClient<TransitApi>({
  topics: {
    'GET /api/transit_connection': ['connection', 'session', 'edge', 'user', 'router'],
    'GET /api/transit_connection/outages': ['connection', 'session'],
    'GET /api/transit_connection/sent_routes': ['session', 'connection'],
    // Prefixes depend on sessions as well: what a session reports is a stage of every prefix.
    'GET /api/transit_prefixes/quota': ['prefix', 'user'],
    'GET /api/transit_prefixes/import': ['prefix_import', 'prefix'],
    'GET /api/transit_prefixes/{id}': ['prefix', 'connection', 'session'],
    'GET /api/transit_prefixes/{id}/loas': ['prefix', 'user'],
    'GET /api/transit_prefixes/{id}/loas/new': [],
    'GET /api/transit_prefixes': ['prefix', 'connection', 'session'],
  },
})

export const ownConnection = () => transit.query['GET /api/transit_connection']()
export const sessionOutages = () => transit.query['GET /api/transit_connection/outages']()
export const ownQuota = () => transit.query['GET /api/transit_prefixes/quota']()
export const ownImport = () => transit.query['GET /api/transit_prefixes/import']()
export const ownPrefix = (id: number) => transit.query['GET /api/transit_prefixes/{id}']({ params: { id } })
export const loasOf = (id: number) => transit.query['GET /api/transit_prefixes/{id}/loas']({ params: { id } })
export const loaDraft = (id: number) => transit.query['GET /api/transit_prefixes/{id}/loas/new']({ params: { id } })
export const ownPrefixes = () => transit.query['GET /api/transit_prefixes']()
