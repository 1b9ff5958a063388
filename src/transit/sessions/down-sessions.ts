/** BGP sessions of all customers by what they are now, and those that went down last: what the dashboard of staff begins with. */
import { sql } from 'kysely'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import type { TransitApi } from '../contract.ts'
import { troubleKind } from '../edges/edge-assignment.ts'

const MOST_LISTED = 5

type Status = 'established' | 'down' | 'never_up' | 'disabled' | 'unknown'

/** What a silent edge last told is not known to be true. */
const status = sql<Status>`case when edge.silent then 'unknown' when session.state = 'ESTABLISHED' then 'established'
  when session.state = 'DISABLED' or not connection.enabled then 'disabled'
  when session.down_since is null then 'never_up' else 'down' end`

const overLimit = sql<boolean>`exists (select from transit_limit_trips trip
  where trip.connection_id = connection.id and trip.family = session.family)`

export async function viewDownSessions(db: Db): Promise<Reply<TransitApi['GET /api/admin/sessions/down']>> {
  const counted = await sessionsWithEdge(db)
    .select([status.as('status'), sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute()
  const countOf = (wanted: Status) => counted.find((one) => one.status === wanted)?.count ?? 0
  const latest = await sessionsWithEdge(db)
    .innerJoin('users', 'users.id', 'connection.user_id')
    .leftJoin('asn_ownerships as holding', 'holding.user_id', 'users.id')
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .select(['session.family', 'session.last_error', 'session.down_since', overLimit.as('over_limit')])
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name', 'holding.asn'])
    .select(['routers.id as router_id', 'routers.name as router_name', 'edge.id as edge_id', 'edge.name as edge_name'])
    .where(status, '=', 'down')
    .orderBy('session.down_since', 'desc')
    .orderBy('session.connection_id')
    .orderBy('session.family')
    .limit(MOST_LISTED)
    .execute()
  return {
    counts: {
      established: countOf('established'),
      down: countOf('down'),
      neverUp: countOf('never_up'),
      disabled: countOf('disabled'),
      unknown: countOf('unknown'),
    },
    latest: latest.map((row) => ({
      customer: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
      asn: row.asn,
      router: row.router_id === null ? null : { id: row.router_id, name: row.router_name! },
      edge: { id: row.edge_id, name: row.edge_name },
      family: row.family,
      downSince: row.down_since!.toISOString(),
      lastError: row.last_error,
      overLimit: row.over_limit,
    })),
  }
}

/** The edges first: whether one is heard of is asked once for each edge, and not for each session. */
const sessionsWithEdge = (db: Db) =>
  db
    .with(
      (cte) => cte('edge').materialized(),
      (cte) =>
        cte
          .selectFrom('transit_edges as own')
          .select(['own.id', 'own.name'])
          .select(sql<boolean>`coalesce(${troubleKind('own')} in ('no_agent', 'unreachable'), false)`.as('silent')),
    )
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .innerJoin('edge', 'edge.id', 'connection.edge_id')
