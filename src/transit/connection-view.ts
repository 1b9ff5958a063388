/** A connection as its owner sees it. */
import { readAsnHolding, readStanding, type Standing } from '../accounts/index.ts'
import type { Db } from '../platform/db/index.ts'
import { findConnection } from './connections.ts'
import type { TransitConnection } from './contract.ts'
import type { TransitDeps } from './deps.ts'
import { publicEdgeError, servingOf } from './edges/serving.ts'
import { findRouters } from '../routers/index.ts'
import { hasPassword } from './session-password.ts'
import { viewSessions } from './session-view.ts'

export async function viewConnection(deps: TransitDeps, db: Db, userId: number): Promise<TransitConnection> {
  const row = await findConnection(db, userId)
  const holding = await readAsnHolding(db, userId, deps.clock.now())
  const serving = await servingOf(db, userId)
  const edgeError = publicEdgeError(serving)
  const [router] = row?.router_id ? await findRouters(db, [row.router_id]) : []
  const own = router?.userId === userId ? router : undefined
  const verifiedAsn = holding?.verifiedAt ? holding.asn : null
  const proof = holding?.verification
  const doubt = holding?.verifiedAt ? holding.doubt : null
  return {
    asn: holding?.asn ?? null,
    asSet: row?.as_set ?? null,
    asnVerifiedAt: holding?.verifiedAt?.toISOString() ?? null,
    verification: proof
      ? {
          method: proof.method,
          strength: proof.strength,
          state: proof.state,
          sentAt: proof.sentAt.toISOString(),
          verifiedAt: proof.verifiedAt?.toISOString() ?? null,
          validUntil: proof.validUntil?.toISOString() ?? null,
        }
      : null,
    doubt: doubt
      ? { cause: doubt.cause, since: doubt.since.toISOString(), lapsesAt: doubt.lapsesAt.toISOString() }
      : null,
    router: own ? { id: own.id, uuid: own.uuid, name: own.name, state: own.state } : null,
    sessions:
      row && own && verifiedAsn !== null
        ? await viewSessions(db, {
            connectionId: row.id,
            enabled: row.enabled,
            localAsn: deps.operator.asn,
            peerAsn: verifiedAsn,
            addresses: own.addresses,
            serving,
          })
        : [],
    enabled: row?.enabled ?? true,
    exports: row?.exports ?? 'default',
    hasPassword: row !== undefined && hasPassword(row),
    operatorAsn: deps.operator.asn,
    setup:
      (await deps.setUp?.price(db, row ? { id: row.id, userId, madeAt: row.created_at } : null, deps.clock.now())) ??
      null,
    asSetStatus: row?.as_set ? (row.as_set_status ?? 'UNKNOWN') : null,
    asSetMembers: row?.as_set_members ?? null,
    asSetAsOf: row?.as_set_as_of?.toISOString() ?? null,
    held: heldBack(await readStanding(db, userId)),
    edge: {
      name: serving.edge?.name ?? null,
      site: serving.site?.name ?? null,
      current: edgeError === null,
      appliedAt: serving.edge?.applied_at?.toISOString() ?? null,
      error: edgeError,
    },
  }
}

function heldBack({ suspended, transit, reason }: Standing): TransitConnection['held'] {
  if (suspended || transit === 'shut') return { as: 'shut', reason }
  return transit === 'drained' ? { as: 'drained', reason } : null
}
