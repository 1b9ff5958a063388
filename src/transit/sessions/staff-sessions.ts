/** BGP sessions of all customers, for staff: pages by the time of the last change. */
import { sql } from 'kysely'
import { holdersOf, usersNamed } from '../../accounts/index.ts'
import { limitsOf } from '../controls/limits.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import { readAsn, searchPatterns } from '../../platform/search-words.ts'
import type { TransitApi } from '../contract.ts'
import type { SessionFilter } from '../states.ts'
import { countByStatus, sessionStatus, sessionsWithEdge, type SessionStatus } from './session-status.ts'

interface SessionQuery {
  readonly status?: SessionFilter | undefined
  readonly search?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

/** A search that matches more customers than this is cut off. */
const MOST_OWNERS = 1_000

const STATUSES: Readonly<Record<SessionFilter, readonly SessionStatus[]>> = {
  DOWN: ['down', 'never_up'],
  ESTABLISHED: ['established'],
  DISABLED: ['disabled'],
  UNKNOWN: ['unknown'],
}
/** Milliseconds since 1970; a session that never changed comes last. */
const changedAt = sql<number>`coalesce((extract(epoch from session.since) * 1000)::bigint, 0)`
const flaps = sql<number>`(select count(*)::int from transit_session_events event
  where event.connection_id = connection.id and event.family = session.family
    and event.from_state = 'ESTABLISHED' and event.at > now() - interval '24 hours')`
const approved = sql<number>`(select count(*)::int from transit_prefixes prefix
  where prefix.user_id = connection.user_id and prefix.status = 'APPROVED'
    and prefix.announcement_type <> 'STATIC' and family(prefix.value) = session.family)`
const granted = sql<
  number | null
>`case session.family when 4 then connection.receive_limit4 else connection.receive_limit6 end`
/** The intended reason why a session is not up. */
const control = sql<'SHUT_DOWN' | 'OVER_LIMIT' | 'DRAINED' | null>`case
  when not connection.enabled then 'SHUT_DOWN'
  when exists (select from transit_limit_trips trip
    where trip.connection_id = connection.id and trip.family = session.family) then 'OVER_LIMIT'
  when connection.drain_until is not null then 'DRAINED' end`

export async function pageOfSessions(
  db: Db,
  { status, search, after, limit }: SessionQuery,
): Promise<Reply<TransitApi['GET /api/admin/sessions']>> {
  const wanted = search ? await readSearch(db, search) : null
  const cursor = after?.split('-').map(Number)
  const rows = await sessionsWithEdge(db)
    .innerJoin('users', 'users.id', 'connection.user_id')
    .leftJoin('asn_ownerships as holding', 'holding.user_id', 'users.id')
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .leftJoin('hypervisors as hypervisor', 'hypervisor.id', 'routers.hypervisor_id')
    .selectAll('session')
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name', 'holding.asn'])
    .select(['routers.id as router_id', 'routers.name as router_name', 'edge.id as edge_id', 'edge.name as edge_name'])
    .select(['edge.silent', changedAt.as('changed'), flaps.as('flaps'), approved.as('approved'), granted.as('granted')])
    .select([control.as('control'), 'connection.shutdown_message'])
    .$if(status !== undefined, (query) => query.where(sessionStatus, 'in', STATUSES[status!]))
    .$if(wanted !== null, (query) =>
      query.where((eb) =>
        eb.or([
          sql<boolean>`users.id = any(${wanted!.owners}::int[])`,
          ...(wanted!.patterns.length === 0
            ? []
            : ['routers.name', 'hypervisor.name', 'edge.name'].map((name) =>
                eb.and(wanted!.patterns.map((pattern) => sql<boolean>`lower(${sql.ref(name)}) like lower(${pattern})`)),
              )),
        ]),
      ),
    )
    .$if(cursor !== undefined, (query) => {
      const [changed, connection, family] = cursor!
      return query.where(
        sql<boolean>`(${changedAt}, session.connection_id, session.family) < (${changed}::bigint, ${connection}::bigint, ${family}::int)`,
      )
    })
    .orderBy(changedAt, 'desc')
    .orderBy('session.connection_id', 'desc')
    .orderBy('session.family', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, (row) => `${row.changed}-${row.connection_id}-${row.family}`)
  return {
    sessions: shown.map((row) => ({
      customer: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
      asn: row.asn,
      router: row.router_id === null ? null : { id: row.router_id, name: row.router_name! },
      edge: { id: row.edge_id, name: row.edge_name },
      family: row.family,
      state: row.state,
      stateKnown: !row.silent,
      since: row.since?.toISOString() ?? null,
      flaps: row.flaps,
      lastError: row.last_error,
      received: row.received,
      accepted: row.accepted,
      receiveLimit: limitsOf(row.granted, row.approved).receive,
      importLimit: limitsOf(row.granted, row.approved).import,
      control: row.control,
      shutdownMessage: row.shutdown_message,
      exported: row.exported,
    })),
    counts: await countSessions(db),
    next,
  }
}

async function countSessions(db: Db) {
  const { established, down, neverUp, disabled, unknown } = await countByStatus(db)
  return { down: down + neverUp, established, disabled, unknown }
}

async function readSearch(db: Db, text: string): Promise<{ owners: readonly number[]; patterns: readonly string[] }> {
  const number = readAsn(text)
  const holders = number ? await holdersOf(db, number.asn) : []
  if (number?.certain) return { owners: holders, patterns: [] }
  const patterns = searchPatterns(text)
  const named = patterns.length === 0 ? [] : await usersNamed(db, patterns, MOST_OWNERS)
  return { owners: [...holders, ...named], patterns }
}
