/** Reads everything that determines what the edge and the routers should run. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { edgeOfSite } from '../edges/edge-assignment.ts'
import type { RevertedPrefix } from '../loads/changes.ts'
import type { AdvertisedPrefix, ConnectionDetails } from './desired.ts'
import type { AnnouncementType } from '../states.ts'
import { valueOf } from '../prefix-row.ts'
import { suspendedByStaff } from '../../accounts/index.ts'
import { findRouters, type RouterEntry } from '../../routers/index.ts'
import { openPassword, type KeyHolder } from '../connections/session-password.ts'
import '../tables.ts'

interface Wanted {
  readonly routerId?: number
  /** Connections that are assigned to this edge and that no other edge may carry. */
  readonly edgeId?: number
  /** The prefixes that a reverted edge carries, used instead of the approved ones. */
  readonly reverted?: readonly RevertedPrefix[] | null
  /** Connections by id that were read before and have not changed since. They are not read again. */
  readonly kept?: ReadonlyMap<number, ConnectionDetails>
}

/** Returns connections with a verified ASN and a router: all of them, those of a router, or those of an edge. */
export async function readConnectionDetails(
  db: Db,
  keys: KeyHolder,
  { kept = new Map(), ...wanted }: Wanted = {},
): Promise<ConnectionDetails[]> {
  if (kept.size === 0) return readAll(db, keys, servedConnections(db, wanted), wanted)
  const ids = (await servedConnections(db, wanted).select('connection.id').execute()).map(({ id }) => id)
  const changed = ids.filter((id) => !kept.has(id))
  const query = servedConnections(db, wanted).where((eb) => eb('connection.id', '=', eb.fn.any(eb.val(changed))))
  const read = changed.length === 0 ? [] : await readAll(db, keys, query, wanted)
  return [...ids.flatMap((id) => kept.get(id) ?? []), ...read]
}

const servedConnections = (db: Db, { routerId, edgeId }: Pick<Wanted, 'routerId' | 'edgeId'>) =>
  db
    .selectFrom('transit_connections as connection')
    .innerJoin('asn_ownerships as holding', 'holding.account_id', 'connection.account_id')
    .innerJoin('users as user', 'user.account_id', 'connection.account_id')
    .where('user.closed_at', 'is', null)
    .where('holding.verified_at', 'is not', null)
    .where('connection.router_id', 'is not', null)
    .$if(routerId !== undefined, (query) => query.where('connection.router_id', '=', routerId!))
    .$if(edgeId !== undefined, (query) =>
      query
        .innerJoin('routers', 'routers.id', 'connection.router_id')
        .leftJoin('transit_edge_sites as served', 'served.site_id', 'routers.site_id')
        .where('connection.edge_id', '=', edgeId!)
        .where(edgeOfSite, '=', edgeId!),
    )

async function readAll(
  db: Db,
  keys: KeyHolder,
  query: ReturnType<typeof servedConnections>,
  { reverted = null }: Pick<Wanted, 'reverted'>,
): Promise<ConnectionDetails[]> {
  const connections = await query
    .leftJoin('account_billing_status as billing', 'billing.account_id', 'connection.account_id')
    .selectAll('connection')
    .select(['holding.asn', 'billing.transit', 'billing.suspended'])
    .select(suspendedByStaff('connection.account_id').as('byStaff'))
    .execute()
  if (connections.length === 0) return []
  const routers = await findRouters(
    db,
    connections.map((connection) => connection.router_id!),
  )
  const routerById = new Map(routers.map((router) => [router.id, router]))
  const prefixes =
    reverted === null
      ? await readApproved(
          db,
          connections.map((one) => one.account_id),
        )
      : await readReverted(db, connections, reverted)
  const trips = await db
    .selectFrom('transit_limit_trips')
    .select(['connection_id', 'family'])
    .where((eb) => eb('connection_id', '=', eb.fn.any(eb.val(connections.map((one) => one.id)))))
    .orderBy('family')
    .execute()
  const blackholes = await db
    .selectFrom('transit_blackholes')
    .select(['account_id', 'address'])
    .where('ended_at', 'is', null)
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val(connections.map((one) => one.account_id)))))
    .orderBy('address')
    .execute()
  const tripsOf = Map.groupBy(trips, (trip) => trip.connection_id)
  const blackholesOf = Map.groupBy(blackholes, (one) => one.account_id)
  return connections.map((connection) => ({
    id: connection.id,
    accountId: connection.account_id,
    verifiedAsn: connection.asn,
    enabled: connection.enabled && connection.transit !== 'closed' && !connection.suspended && !connection.byStaff,
    shutdownMessage: connection.enabled ? null : connection.shutdown_message,
    drained: connection.transit === 'drained' || connection.drain_until !== null,
    overLimit: (tripsOf.get(connection.id) ?? []).map((trip) => trip.family),
    bfd: [...(connection.bfd4 ? [4 as const] : []), ...(connection.bfd6 ? [6 as const] : [])],
    receiveLimits: {
      ...(connection.receive_limit4 !== null && { 4: connection.receive_limit4 }),
      ...(connection.receive_limit6 !== null && { 6: connection.receive_limit6 }),
    },
    blackholes: (blackholesOf.get(connection.account_id) ?? []).map((one) => one.address),
    exports: connection.exports,
    password: openPassword(keys, connection),
    running: carriesTraffic(routerById.get(connection.router_id!)),
    addresses: routerById.get(connection.router_id!)?.addresses ?? [],
    prefixes: prefixes.get(connection.account_id) ?? NO_PREFIXES,
  }))
}

const NO_PREFIXES: readonly AdvertisedPrefix[] = []
type PrefixesOf = ReadonlyMap<number, readonly AdvertisedPrefix[]>

/** Reads one text for each customer: at a hundred thousand prefixes, rows would take several times as long. */
async function readApproved(db: Db, accountIds: readonly AccountId[]): Promise<PrefixesOf> {
  const rows = await db
    .selectFrom('transit_prefixes')
    .select('account_id')
    .select(
      sql<string>`string_agg(concat_ws(' ', id, value, announcement_type, coalesce(origin_asn, 0), rpki_good_status), ',' order by id)`.as(
        'text',
      ),
    )
    .where('status', '=', 'APPROVED')
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val([...accountIds]))))
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id: accountId, text }) => [accountId, text.split(',').map(parseApproved)]))
}

function parseApproved(text: string): AdvertisedPrefix {
  const [id, value, type, origin, rpki] = text.split(' ')
  return {
    id: Number(id),
    value: valueOf({ value: value! }),
    type: type as AnnouncementType,
    origin: Number(origin) || null,
    hasRoa: hasRoa(rpki),
  }
}

const hasRoa = (status: string | null | undefined): boolean => status === 'VALID' || status === 'INVALID'

async function readReverted(
  db: Db,
  connections: readonly { readonly account_id: AccountId; readonly asn: number }[],
  reverted: readonly RevertedPrefix[],
): Promise<PrefixesOf> {
  const found = await db
    .selectFrom('transit_prefixes')
    .select([
      'id',
      'account_id',
      'value',
      'announcement_type',
      'origin_asn',
      'rpki_good_status',
      'status',
      'decided_at',
    ])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(reverted.map(({ id }) => id)))))
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val(connections.map((one) => one.account_id)))))
    .execute()
  const then = new Map(reverted.map((one) => [one.id, one]))
  const asnOf = new Map(connections.map((one) => [one.account_id, one.asn]))
  const carried = found.filter(
    (row) =>
      row.status === 'APPROVED' ||
      // A later decision, or a changed ASN: no revert brings such a prefix back.
      (row.status === then.get(row.id)?.status &&
        (row.decided_at?.toISOString() ?? null) === then.get(row.id)!.decidedAt &&
        (row.announcement_type !== 'ORIGIN' || row.origin_asn === asnOf.get(row.account_id))),
  )
  const prefixes = Map.groupBy(carried, (row) => row.account_id)
  return new Map(
    [...prefixes].map(([accountId, rows]) => [
      accountId,
      rows.map((row) => ({
        id: row.id,
        value: valueOf(row),
        type: row.announcement_type,
        origin: row.origin_asn,
        hasRoa: hasRoa(row.rpki_good_status),
      })),
    ]),
  )
}

/** A reboot ends before other networks have converged on another path. A router that is shutting down stops carrying traffic early. */
const RUNNING: ReadonlySet<RouterEntry['state']> = new Set(['RUNNING', 'REBOOTING', 'MIGRATING'])

export const carriesTraffic = (router: Pick<RouterEntry, 'state'> | undefined): boolean =>
  router !== undefined && RUNNING.has(router.state)
