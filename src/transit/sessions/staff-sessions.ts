/** BGP sessions of all customers, for staff, in pages by keyset. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import { holdersOf, usersNamed } from '../../accounts/index.ts'
import { limitsOf } from '../controls/limits.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import { readAsn, searchPatterns } from '../../platform/search-words.ts'
import type { TransitApi } from '../contract.ts'
import type { SessionFilter, SessionSort, SessionSortColumn } from '../states.ts'
import { countByStatus, rank, sessionsWithEdge, silentEdges, withStatus } from './session-status.ts'

interface SessionQuery {
  readonly status?: SessionFilter | undefined
  readonly search?: string | undefined
  readonly sort?: SessionSort | undefined
  readonly after?: string | undefined
  readonly limit: number
}

/** A search that matches more customers than this is cut off. */
const MOST_OWNERS = 1_000

/** Verbatim as in the indexes. A session that never changed comes last. */
const changedAt = sql<Date>`coalesce(session.since, 'epoch')`

/** The keys of an order before the connection and the family, and each as an integer for the cursor. */
const ORDERS: Readonly<Record<SessionSortColumn, readonly OrderKey[]>> = {
  since: [{ key: changedAt, isTime: true }],
  state: [{ key: rank }, { key: changedAt, isTime: true }],
  flaps: [{ key: sql`session.flaps` }],
  edge: [{ key: sql`connection.edge_id` }],
}
interface OrderKey {
  readonly key: RawBuilder<unknown>
  readonly isTime?: boolean
}
/** Microseconds since 1970, PostgreSQL's precision. */
const toNumber = ({ key, isTime }: OrderKey) =>
  isTime ? sql`(extract(epoch from ${key}) * 1000000)::bigint` : sql`${key}`
const fromNumber = (value: number, { isTime }: Pick<OrderKey, 'isTime'>) =>
  isTime ? sql`'epoch'::timestamptz + ${value} * interval '1 microsecond'` : sql`${value}::bigint`

const approved = sql<number>`(select count(*)::int from transit_prefixes prefix
  where prefix.account_id = connection.account_id and prefix.status = 'APPROVED'
    and prefix.announcement_type <> 'STATIC' and family(prefix.value) = session.family)`
const granted = sql<
  number | null
>`case session.family when 4 then connection.receive_limit4 else connection.receive_limit6 end`
/** Why it is down or drained, where that is not an error. */
const control = sql<'SHUT_DOWN' | 'OVER_LIMIT' | 'DRAINED' | null>`case
  when not connection.enabled then 'SHUT_DOWN'
  when exists (select from transit_limit_trips trip
    where trip.connection_id = connection.id and trip.family = session.family) then 'OVER_LIMIT'
  when connection.drain_until is not null then 'DRAINED' end`

export async function pageOfSessions(
  db: Db,
  { status, search, sort = '-since', after, limit }: SessionQuery,
): Promise<Reply<TransitApi['GET /api/admin/sessions']>> {
  const wanted = search ? await readSearch(db, search) : null
  const column = sort.replace('-', '') as SessionSortColumn
  const order = ORDERS[column]
  const cursor = after?.split('-').map(Number)
  if (cursor && cursor.length !== order.length + 2) {
    throw invalid([{ field: 'after', message: 'is a page of another order' }])
  }
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  // By edge, the index of connections starts at the cursor's connection, and its sessions are compared after that.
  const connection = column === 'edge' ? sql.ref('connection.id') : sql.ref('session.connection_id')
  const silent = status === undefined ? [] : await silentEdges(db)
  // Find the ids from indexes alone first, then read the rows.
  const which = db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .select(['session.connection_id', 'session.family'])
    .where('connection.edge_id', 'is not', null)
    .$if(status !== undefined, (query) => query.where(withStatus(status!, silent)))
    .$if(wanted !== null, (query) =>
      query
        .innerJoin('transit_edges as edge', 'edge.id', 'connection.edge_id')
        .leftJoin('routers', 'routers.id', 'connection.router_id')
        .leftJoin('hypervisors as hypervisor', 'hypervisor.id', 'routers.hypervisor_id')
        .where((eb) =>
          eb.or([
            sql<boolean>`connection.account_id = any(${wanted!.owners}::int[])`,
            ...(wanted!.patterns.length === 0
              ? []
              : ['routers.name', 'hypervisor.name', 'edge.name'].map((name) =>
                  eb.and(
                    wanted!.patterns.map((pattern) => sql<boolean>`lower(${sql.ref(name)}) like lower(${pattern})`),
                  ),
                )),
          ]),
        ),
    )
    .$if(cursor !== undefined, (query) => {
      const keys = [...order.map(({ key }) => key), connection]
      const at = cursor!.map((value, index) => fromNumber(value, order[index] ?? {}))
      return query
        .where(sql<boolean>`(${sql.join([...keys, sql`session.family`])}) ${beyond} (${sql.join(at)})`)
        .$if(column === 'edge', (byEdge) =>
          byEdge.where(sql<boolean>`(${sql.join(keys)}) ${beyond}= (${sql.join(at.slice(0, -1))})`),
        )
    })
    .$call((query) => order.reduce((sorted, { key }) => sorted.orderBy(key, direction), query))
    .orderBy(connection, direction)
    .orderBy('session.family', direction)
    .limit(limit + 1)
  const rows = await sessionsWithEdge(db)
    .innerJoin('users', 'users.account_id', 'connection.account_id')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'users.account_id')
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .selectAll('session')
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name', 'holding.asn'])
    .select(['routers.id as router_id', 'routers.name as router_name', 'edge.id as edge_id', 'edge.name as edge_name'])
    .select(['edge.silent', 'edge.lacks', approved.as('approved'), granted.as('granted')])
    .select([control.as('control'), 'connection.shutdown_message'])
    .select(sql<string>`concat_ws('-', ${sql.join(order.map(toNumber))})`.as('place'))
    .where(sql<boolean>`(session.connection_id, session.family) in (${which})`)
    .$call((query) => order.reduce((sorted, { key }) => sorted.orderBy(key, direction), query))
    .orderBy('session.connection_id', direction)
    .orderBy('session.family', direction)
    .execute()
  const { shown, next } = pageOf(rows, limit, (row) => `${row.place}-${row.connection_id}-${row.family}`)
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
      receiveLimit: limitsOf(row.granted, row.approved, row.lacks).receive,
      importLimit: limitsOf(row.granted, row.approved, row.lacks).import,
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

async function readSearch(
  db: Db,
  text: string,
): Promise<{ owners: readonly AccountId[]; patterns: readonly string[] }> {
  const number = readAsn(text)
  const holders = number ? await holdersOf(db, number.asn) : []
  if (number?.certain) return { owners: holders, patterns: [] }
  const patterns = searchPatterns(text)
  const named = patterns.length === 0 ? [] : await usersNamed(db, patterns, MOST_OWNERS)
  return { owners: [...holders, ...named.map(({ accountId }) => accountId)], patterns }
}
