/** BGP sessions as their owner sees them: the desired ends, and the state that the edge last reported. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import type { TransitSession } from '../contract.ts'
import { readRouteLimits, readTrips } from '../controls/limits.ts'
import type { TransitDeps } from '../deps.ts'
import type { OwnRouter } from '../../routers/contract.ts'
import type { RouterAddress } from '../configuration/desired.ts'
import {
  edgeStatusIn,
  edgeStatusOf,
  isStale,
  observedAt,
  readEdgeStatusRows,
  type EdgeStatus,
} from '../edges/edge-status.ts'

/** The sessions that a router carries, for the routers slice, which does not depend on transit. */
export async function routerSessions(
  db: Db,
  routerId: number,
  deps: Pick<TransitDeps, 'operator' | 'secretKey'>,
): Promise<TransitSession[]> {
  const [connection] = await readConnectionDetails(db, deps, { routerId })
  if (!connection) return []
  return viewSessions(db, {
    connectionId: connection.id,
    enabled: connection.enabled,
    localAsn: deps.operator.asn,
    peerAsn: connection.verifiedAsn!,
    addresses: connection.addresses,
    edgeStatus: await edgeStatusOf(db, connection.accountId),
  })
}

/** For the router that carries the account's connection, by its id, as far as the edge has reported them. */
export async function routerSessionStates(db: Db, accountId: AccountId): Promise<Map<number, OwnRouter['sessions']>> {
  const rows = await readEdgeStatusRows(db, { accountId })
  const stateKnown = !isStale(edgeStatusIn(rows))
  const states = new Map<number, OwnRouter['sessions']>()
  for (const { router_id: routerId, family, state, enabled, ...row } of rows) {
    if (routerId === null || family === null || state === null) continue
    const shown = {
      family,
      state: enabled ? state : 'DISABLED',
      stateKnown: !enabled || stateKnown,
      downSince: enabled ? (row.down_since?.toISOString() ?? null) : null,
      lastError: row.last_error,
    }
    states.set(
      routerId,
      [...(states.get(routerId) ?? []), shown].toSorted((a, b) => a.family - b.family),
    )
  }
  return states
}

interface SessionContext {
  readonly connectionId: number
  readonly enabled: boolean
  readonly localAsn: number
  readonly peerAsn: number
  readonly addresses: readonly RouterAddress[]
  readonly edgeStatus: EdgeStatus
}

export async function viewSessions(db: Db, context: SessionContext): Promise<TransitSession[]> {
  const rows = await db
    .selectFrom('transit_sessions')
    .selectAll()
    .where('connection_id', '=', context.connectionId)
    .execute()
  const trips = await readTrips(db, context.connectionId)
  const bfd = await db
    .selectFrom('transit_connections')
    .select(['bfd4', 'bfd6'])
    .where('id', '=', context.connectionId)
    .executeTakeFirstOrThrow()
  const limits = await readRouteLimits(db, context.connectionId)
  return context.addresses
    .toSorted((a, b) => a.family - b.family)
    .map(({ family, address, gateway }) => {
      const row = rows.find((candidate) => candidate.family === family)
      const trip = trips.find((candidate) => candidate.family === family)
      return {
        family,
        localAsn: context.localAsn,
        localAddress: gateway,
        peerAsn: context.peerAsn,
        peerAddress: address,
        state: context.enabled ? (row?.state ?? 'IDLE') : 'DISABLED',
        stateKnown: !context.enabled || !isStale(context.edgeStatus),
        since: row?.since?.toISOString() ?? null,
        downSince: row?.down_since?.toISOString() ?? null,
        received: row?.received ?? 0,
        accepted: row?.accepted ?? 0,
        exported: row?.exported ?? 0,
        lastError: row?.last_error ?? null,
        receiveLimit: limits[family].receive,
        importLimit: limits[family].import,
        limitExceeded: trip
          ? { at: trip.at.toISOString(), clearAt: trip.clearAt.toISOString(), retryAt: trip.retryAt.toISOString() }
          : null,
        bfd: { enabled: family === 4 ? bfd.bfd4 : bfd.bfd6, state: row?.bfd ?? null },
        observedAt: row ? (observedAt(context.edgeStatus)?.toISOString() ?? null) : null,
      }
    })
}
