/** BGP sessions as their owner sees them: the ends as they are wanted, the state as the edge last told. */
import type { Db } from '../platform/db/index.ts'
import { readConnectionFacts } from './filters/connection-facts.ts'
import type { TransitSession } from './contract.ts'
import type { TransitDeps } from './deps.ts'
import type { RouterAddress } from './filters/desired.ts'
import { isUnheard, observedAt, servingOf, type Serving } from './edges/serving.ts'

/** The sessions that a router carries: for the routers' slice, which knows nothing of transit. */
export async function routerSessions(
  db: Db,
  routerId: number,
  deps: Pick<TransitDeps, 'operator' | 'secretKey'>,
): Promise<TransitSession[]> {
  const [connection] = await readConnectionFacts(db, deps, { routerId })
  if (!connection) return []
  return viewSessions(db, {
    connectionId: connection.id,
    enabled: connection.enabled,
    localAsn: deps.operator.asn,
    peerAsn: connection.verifiedAsn!,
    addresses: connection.addresses,
    serving: await servingOf(db, connection.userId),
  })
}

interface SessionFacts {
  readonly connectionId: number
  readonly enabled: boolean
  readonly localAsn: number
  readonly peerAsn: number
  readonly addresses: readonly RouterAddress[]
  readonly serving: Serving
}

export async function viewSessions(db: Db, facts: SessionFacts): Promise<TransitSession[]> {
  const rows = await db
    .selectFrom('transit_sessions')
    .selectAll()
    .where('connection_id', '=', facts.connectionId)
    .execute()
  return facts.addresses
    .toSorted((a, b) => a.family - b.family)
    .map(({ family, address, gateway }) => {
      const row = rows.find((candidate) => candidate.family === family)
      return {
        family,
        localAsn: facts.localAsn,
        localAddress: gateway,
        peerAsn: facts.peerAsn,
        peerAddress: address,
        state: facts.enabled ? (row?.state ?? 'IDLE') : 'DISABLED',
        stateKnown: !facts.enabled || !isUnheard(facts.serving),
        since: row?.since?.toISOString() ?? null,
        received: row?.received ?? 0,
        accepted: row?.accepted ?? 0,
        exported: row?.exported ?? 0,
        lastError: row?.last_error ?? null,
        observedAt: row ? (observedAt(facts.serving)?.toISOString() ?? null) : null,
      }
    })
}
