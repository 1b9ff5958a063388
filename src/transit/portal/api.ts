import { createClient } from '../../ui/runtime/client.ts'
import type { TransitApi } from '../contract.ts'

export const transit = createClient<TransitApi>({
  topics: {
    'GET /api/transit_connection': ['connection', 'session', 'edge', 'user', 'router'],
    'GET /api/transit_connection/events': ['connection', 'session'],
    // What the session tells is a stage of every prefix.
    'GET /api/transit_prefixes': ['prefix', 'connection', 'session'],
  },
})

export const ownConnection = () => transit.query['GET /api/transit_connection']()
/** The newest: enough for weeks of a session that flaps now and then. */
export const sessionEvents = () => transit.query['GET /api/transit_connection/events']({ query: { limit: 200 } })
export const ownPrefixes = () => transit.query['GET /api/transit_prefixes']()
