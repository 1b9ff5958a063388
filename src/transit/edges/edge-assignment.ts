/**
 * Which edge a connection belongs to, as SQL: that of its router's site. Computed and never stored, so that it cannot
 * contradict what it is made of. See docs/decisions/0020-several-edges.md.
 */
import { sql } from 'kysely'
import { isDriven } from '../../platform/leases/agent-lease.ts'
import type { TransitEdgesTable } from './tables.ts'

/** Serves every site, as long as there is no other. */
const ONLY_EDGE = sql`(select min(id) from transit_edges having count(*) = 1)`

/** Of `sites` or whatever has a `site_id`, beside `transit_edge_sites served`. */
export const edgeOfSite = sql<number | null>`coalesce(served.edge_id, ${ONLY_EDGE})`

/** Of `transit_connections connection`; null without a router, and at a site that no edge serves. */
export const assignedEdge = sql<number | null>`(select ${edgeOfSite} from routers
  left join transit_edge_sites served on served.site_id = routers.site_id where routers.id = connection.router_id)`

/** Of a `transit_edges` by its alias: what is wrong with it. What was last written is not known to be true without a process. */
export const troubleKind = (edge: string) =>
  sql<
    TransitEdgesTable['error_kind']
  >`case when ${sql.ref(`${edge}.id`)} is null or ${isDriven('transit_edge_agents', `${edge}.slug`)}
    then ${sql.ref(`${edge}.error_kind`)} else 'no_agent' end`

/** Of `transit_connections connection`: whether the edge that may carry it can be waited for to drop it. */
export const canRelease = sql<boolean>`exists (select from transit_edges holder
  where holder.id = connection.edge_id and holder.error_kind is null and ${isDriven('transit_edge_agents', 'holder.slug')})`
