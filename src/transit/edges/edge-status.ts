/** The state of a connection on its edge, as text for customers and for staff. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import type { TransitEdgesTable } from './tables.ts'
import { leaseKeyOf } from '../../platform/leases/agent-lease.ts'
import { assignedEdge, isSilentKind, troubleKind } from './edge-assignment.ts'
import type { EdgeLack } from '../states.ts'
import { explainAbsence } from './stale-agent-job.ts'

type EdgeColumns = Pick<
  Selectable<TransitEdgesTable>,
  'id' | 'name' | 'error_kind' | 'error' | 'applied_at' | 'observed_at'
>

interface EdgeAgent {
  readonly slug: string
  /** The process that drove the edge last, and when it last renewed its lease. */
  readonly process: string | null
  readonly renewed_at: Date | null
  /** Since when it is held at an earlier load. */
  readonly reverted_at: Date | null
  readonly lacks: readonly EdgeLack[] | null
}

export interface EdgeStatus {
  /** The site of the connection's router; null without a router. */
  readonly site: { readonly name: string } | null
  /** The assigned edge; null without a router, and at a site that no edge serves. */
  readonly edge: (EdgeColumns & EdgeAgent) | null
  /** The edge that may carry the connection: another one while it moves. */
  readonly holder: EdgeColumns | null
}

/** Reads one customer's connection with its site and edges: one row per session, or one row without a session. */
export const readEdgeStatusRows = preparedQuery(['accountId'], (db, { accountId }: Places<{ accountId: AccountId }>) =>
  db
    .selectFrom('users')
    .leftJoin('transit_connections as connection', 'connection.account_id', 'users.account_id')
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .leftJoin('sites', 'sites.id', 'routers.site_id')
    .leftJoin('transit_edges as edge', (join) => join.on('edge.id', '=', assignedEdge))
    .leftJoin('leases as lease', (join) => join.on('lease.key', '=', leaseKeyOf('transit_edge_agents', 'edge.slug')))
    .leftJoin('transit_edges as holder', 'holder.id', 'connection.edge_id')
    .leftJoin('transit_sessions as session', 'session.connection_id', 'connection.id')
    .select(['connection.as_set', 'connection.router_id', 'connection.enabled', 'sites.name as site'])
    .select(['session.family', 'session.state', 'session.down_since', 'session.last_error'])
    .select('routers.state as router_state')
    .select(['edge.id', 'edge.slug', 'edge.name', 'edge.error', 'edge.applied_at', 'edge.observed_at'])
    .select(['edge.reverted_at', 'edge.lacks'])
    .select(['lease.process', 'lease.renewed_at'])
    .select(['holder.id as holder_id', 'holder.name as holder_name'])
    .select([troubleKind('edge').as('error_kind'), troubleKind('holder').as('holder_error_kind')])
    .select(['holder.error as holder_error', 'holder.applied_at as holder_applied_at'])
    .select('holder.observed_at as holder_observed_at')
    .where('users.account_id', '=', accountId),
)

export function edgeStatusIn([around]: Awaited<ReturnType<typeof readEdgeStatusRows>>): EdgeStatus {
  if (!around) return { site: null, edge: null, holder: null }
  const { id, slug, name, holder_id: holderId, holder_name: holderName } = around
  return {
    site: around.site === null ? null : { name: around.site },
    edge: id === null || slug === null || name === null ? null : { ...around, id, slug, name },
    holder:
      holderId === null || holderName === null
        ? null
        : {
            id: holderId,
            name: holderName,
            error_kind: around.holder_error_kind,
            error: around.holder_error,
            applied_at: around.holder_applied_at,
            observed_at: around.holder_observed_at,
          },
  }
}

export const edgeStatusOf = async (db: Db, accountId: AccountId): Promise<EdgeStatus> =>
  edgeStatusIn(await readEdgeStatusRows(db, { accountId }))

/** The error as customers see it. Only staff see BIRD's own message. */
export function publicEdgeError({ site, edge, holder }: EdgeStatus): string | null {
  if (edge === null) return site && `No edge router serves ${site.name} yet, so the connection is not configured.`
  if (edge.error_kind === 'refused') {
    return 'The edge rejected the last change and keeps its previous configuration. Our staff can see this error.'
  }
  if (isSilentKind(edge.error_kind)) {
    return 'The edge is not responding. Changes are applied when it is back.'
  }
  if (edge.error_kind === 'unconfirmed' || edge.reverted_at !== null) {
    return 'Changes to the edge wait for our staff. It keeps its previous configuration.'
  }
  if (edge.error_kind !== null) {
    return 'The edge could not apply the last change and keeps its previous configuration. Our staff can see this error.'
  }
  if (holder && holder.id !== edge.id) return `The connection is moving from ${holder.name} to ${edge.name}.`
  return null
}

/** The error as staff see it. */
export function staffEdgeError(edgeStatus: EdgeStatus): string | null {
  const { edge, holder } = edgeStatus
  // The stored error is not used here: it is updated seconds after the lease expires.
  if (edge?.error_kind === 'no_agent')
    return `${edge.name}: ${explainAbsence(edge.slug, edge.process, edge.renewed_at)}`
  if (edge?.error) return `${edge.name}: ${edge.error}`
  if (edge?.reverted_at) return `${edge.name} is held at an earlier load`
  if (edge && holder && holder.id !== edge.id) return `waiting for ${holder.name} to drop the connection`
  return edge ? null : publicEdgeError(edgeStatus)
}

interface ImportedPrefix {
  readonly status: string
  readonly imported_at: Date | null
  readonly imported_edge: number | null
}

/**
 * Returns since when the edge holds the prefix. For an approved prefix only the assigned edge counts, so that a
 * connection that moves does not show as loaded where it is not. For any other prefix every edge counts, since none
 * should hold it.
 */
export function loadedSince(row: ImportedPrefix, { edge }: EdgeStatus): Date | null {
  if (row.status === 'APPROVED' && edge !== null && row.imported_edge !== edge.id) return null
  return row.imported_at
}

/** Returns whether the edge that carries the connection is unreachable, so that its last report may be outdated. */
export const isStale = ({ holder }: EdgeStatus): boolean => isSilentKind(holder?.error_kind)

/** When the carrying edge last reported its sessions. */
export const observedAt = ({ holder }: EdgeStatus): Date | null => holder?.observed_at ?? null
