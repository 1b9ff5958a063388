/**
 * Which edge a connection belongs to, as SQL: that of its router's site. Computed and never stored, so that it cannot
 * contradict what it is made of. See docs/decisions/0020-several-edges.md.
 */
import { sql } from 'kysely'
import { isAlive } from '../../platform/driving/claims.ts'

/** Serves every site, as long as there is no other. */
const ONLY_EDGE = sql`(select min(id) from transit_edges having count(*) = 1)`

/** Of `sites` or whatever has a `site_id`, beside `transit_edge_sites served`. */
export const servingEdge = sql<number | null>`coalesce(served.edge_id, ${ONLY_EDGE})`

/** Of `transit_connections connection`; null without a router, and at a site that no edge serves. */
export const rightEdge = sql<number | null>`(select ${servingEdge} from routers
  left join transit_edge_sites served on served.site_id = routers.site_id where routers.id = connection.router_id)`

/** Of `transit_connections connection`: whether the edge that may carry it can be waited for to drop it. */
export const letsGo = sql<boolean>`exists (select from transit_edges holder
  join transit_edge_drivers driver on driver.slug = holder.slug
  where holder.id = connection.edge_id and holder.error_kind is null and ${isAlive})`
