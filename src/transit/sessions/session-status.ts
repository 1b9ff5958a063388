/** The status of a BGP session for staff: its state, whether it is known, and whether the session was ever up. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { isSilent } from '../edges/edge-assignment.ts'
import type { SessionFilter } from '../states.ts'

export type SessionStatus = 'established' | 'down' | 'never_up' | 'disabled' | 'unknown'

/** For rows of {@link sessionsWithEdge}. The last report of an unreachable edge may be outdated. */
export const sessionStatus = sql<SessionStatus>`case when edge.silent then 'unknown'
  when session.state = 'ESTABLISHED' then 'established'
  when session.state = 'DISABLED' or not connection.enabled then 'disabled'
  when session.down_since is null then 'never_up' else 'down' end`

/** Verbatim as in the index on states. */
export const rank = sql<number>`(case session.state when 'ESTABLISHED' then 2 when 'DISABLED' then 1 else 0 end)`

/** {@link sessionStatus} expressed with the index on states and the {@link silentEdges}. */
export function withStatus(filter: SessionFilter, silent: readonly number[]) {
  const onSilent = sql`connection.edge_id = any(${silent}::int[])`
  const conditions: Readonly<Record<SessionFilter, RawBuilder<unknown>>> = {
    DOWN: sql`${rank} = 0 and connection.enabled and not ${onSilent}`,
    ESTABLISHED: sql`${rank} = 2 and not ${onSilent}`,
    DISABLED: sql`(${rank} = 1 or ${rank} = 0 and not connection.enabled) and not ${onSilent}`,
    UNKNOWN: onSilent,
  }
  return sql<boolean>`(${conditions[filter]})`
}

/** The session exceeded its route limit, so the edge keeps it closed. */
export const overLimit = sql<boolean>`exists (select from transit_limit_trips trip
  where trip.connection_id = connection.id and trip.family = session.family)`

const edgesWithSilence = (db: Db) =>
  db.selectFrom('transit_edges as own').select(['own.id', 'own.name', 'own.lacks']).select(isSilent('own').as('silent'))

/** Reads the edges first, so that reachability is computed once per edge and not per session. */
export const sessionsWithEdge = (db: Db) =>
  db
    .with(
      (cte) => cte('edge').materialized(),
      () => edgesWithSilence(db),
    )
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .innerJoin('edge', 'edge.id', 'connection.edge_id')

/** Ids of the unreachable edges, whose session states are unknown. */
export async function silentEdges(db: Db): Promise<readonly number[]> {
  const edges = await edgesWithSilence(db).execute()
  return edges.filter(({ silent }) => silent).map(({ id }) => id)
}

export interface SessionCounts {
  readonly established: number
  readonly down: number
  readonly neverUp: number
  readonly disabled: number
  readonly unknown: number
}

export async function countByStatus(db: Db): Promise<SessionCounts> {
  const counted = await sessionsWithEdge(db)
    .select([sessionStatus.as('status'), sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute()
  const countOf = (wanted: SessionStatus) =>
    counted.reduce((sum, { status, count }) => (status === wanted ? sum + count : sum), 0)
  return {
    established: countOf('established'),
    down: countOf('down'),
    neverUp: countOf('never_up'),
    disabled: countOf('disabled'),
    unknown: countOf('unknown'),
  }
}
