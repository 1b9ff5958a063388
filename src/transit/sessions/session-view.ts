/** BGP sessions as their owner sees them: the ends as they are wanted, the state as the edge last told. */
import type { Db } from '../../platform/db/index.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import type { TransitSession } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import type { RouterAddress } from '../configuration/desired.ts'
import { isStale, observedAt, edgeStatusOf, type EdgeStatus } from '../edges/edge-status.ts'

/** The sessions that a router carries: for the routers' slice, which knows nothing of transit. */
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
    edgeStatus: await edgeStatusOf(db, connection.userId),
  })
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
  return context.addresses
    .toSorted((a, b) => a.family - b.family)
    .map(({ family, address, gateway }) => {
      const row = rows.find((candidate) => candidate.family === family)
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
        observedAt: row ? (observedAt(context.edgeStatus)?.toISOString() ?? null) : null,
      }
    })
}
