/**
 * The edge that a connection is assigned to, as SQL: the edge of its router's site. It is computed and never stored, so
 * it cannot contradict its inputs. See docs/decisions/0020-several-edges.md.
 */
import { sql } from 'kysely'
import { isDriven } from '../../platform/leases/agent-lease.ts'
import type { TransitEdgesTable } from './tables.ts'

/** The only edge serves every site while there is no other. */
const ONLY_EDGE = sql`(select min(id) from transit_edges having count(*) = 1)`

/** For `sites`, or anything with a `site_id`, joined with `transit_edge_sites served`. */
export const edgeOfSite = sql<number | null>`coalesce(served.edge_id, ${ONLY_EDGE})`

/** For `transit_connections connection`. Null without a router, and at a site that no edge serves. */
export const assignedEdge = sql<number | null>`(select ${edgeOfSite} from routers
  left join transit_edge_sites served on served.site_id = routers.site_id where routers.id = connection.router_id)`

type TroubleKind = TransitEdgesTable['error_kind']

/** For a `transit_edges` row by its alias: its error. Without an agent the stored error may be outdated, so the result is `no_agent`. */
export const troubleKind = (edge: string) =>
  sql<TroubleKind>`case when ${sql.ref(`${edge}.id`)} is null or ${isDriven('transit_edge_agents', `${edge}.slug`)}
    then ${sql.ref(`${edge}.error_kind`)} else 'no_agent' end`

/** Errors during which the sessions of an edge are not read. A load that failed or waits for staff is none of them. */
const SILENT: readonly TroubleKind[] = ['no_agent', 'unreachable']

export const isSilentKind = (kind: TroubleKind | undefined): boolean => kind !== undefined && SILENT.includes(kind)

/** For a `transit_edges` row by its alias: whether the states of its sessions may be outdated. */
export const isSilent = (edge: string) =>
  sql<boolean>`coalesce(${troubleKind(edge)} in (${sql.join(SILENT.map((kind) => sql.lit(kind)))}), false)`

/** For `transit_connections connection`: whether the edge that holds it can be expected to drop it. */
export const canRelease = sql<boolean>`exists (select from transit_edges holder
  where holder.id = connection.edge_id and holder.error_kind is null and ${isDriven('transit_edge_agents', 'holder.slug')})`
