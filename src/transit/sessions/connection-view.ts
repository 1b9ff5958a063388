/** A connection as its owner sees it. */
import type { AccountId } from '../../kernel/ids.ts'
import { readAsnOwnership, readBillingStatus, type AccountBillingStatus } from '../../accounts/index.ts'
import { isAuthoritative } from '../../drivers/irr/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { findConnection, type ConnectionRow } from '../connections/connections.ts'
import type { TransitConnection } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { publicEdgeError, edgeStatusOf } from '../edges/edge-status.ts'
import { findRouters } from '../../routers/index.ts'
import { viewSessions } from './session-view.ts'

export async function viewConnection(deps: TransitDeps, db: Db, accountId: AccountId): Promise<TransitConnection> {
  const row = await findConnection(db, accountId)
  const ownership = await readAsnOwnership(db, accountId, deps.clock.now())
  const edgeStatus = await edgeStatusOf(db, accountId)
  const edgeError = publicEdgeError(edgeStatus)
  const [router] = row?.router_id ? await findRouters(db, [row.router_id]) : []
  const own = router?.accountId === accountId ? router : undefined
  const verifiedAsn = ownership?.verifiedAt ? ownership.asn : null
  const proof = ownership?.verification
  const risk = ownership?.verifiedAt ? ownership.risk : null
  return {
    asn: ownership?.asn ?? null,
    asSet: row?.as_set ?? null,
    asnVerifiedAt: ownership?.verifiedAt?.toISOString() ?? null,
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
    risk: risk ? { cause: risk.cause, since: risk.since.toISOString(), lapsesAt: risk.lapsesAt.toISOString() } : null,
    router: own ? { id: own.id, uuid: own.uuid, name: own.name, state: own.state } : null,
    sessions:
      row && own && verifiedAsn !== null
        ? await viewSessions(db, {
            connectionId: row.id,
            enabled: row.enabled,
            localAsn: deps.operator.asn,
            peerAsn: verifiedAsn,
            addresses: own.addresses,
            edgeStatus,
          })
        : [],
    enabled: row?.enabled ?? true,
    shutdownMessage: row?.shutdown_message ?? null,
    drainUntil: row?.drain_until?.toISOString() ?? null,
    exports: row?.exports ?? 'default',
    hasPassword: row !== undefined && row.encrypted_password !== null,
    passwordChange: row === undefined ? null : viewPasswordChange(row),
    operatorAsn: deps.operator.asn,
    upstreams: [...deps.upstreams],
    setup:
      (await deps.setUp?.price(db, row ? { id: row.id, accountId, madeAt: row.created_at } : null, deps.clock.now())) ??
      null,
    asSetStatus: row?.as_set ? (row.as_set_status ?? 'UNKNOWN') : null,
    asSetMembers: row?.as_set_members ?? null,
    asSetAsOf: row?.as_set_as_of?.toISOString() ?? null,
    asSetFound: row?.as_set_found
      ? {
          ...row.as_set_found,
          maintainers: [...row.as_set_found.maintainers],
          reserved: [...row.as_set_found.reserved],
          authoritative: isAuthoritative(row.as_set_found.source),
        }
      : null,
    suspension: suspensionOf(await readBillingStatus(db, accountId)),
    edge: {
      name: edgeStatus.edge?.name ?? null,
      site: edgeStatus.site?.name ?? null,
      current: edgeError === null,
      appliedAt: edgeStatus.edge?.applied_at?.toISOString() ?? null,
      error: edgeError,
      lacks: [...(edgeStatus.edge?.lacks ?? [])],
    },
  }
}

function viewPasswordChange(row: ConnectionRow): TransitConnection['passwordChange'] {
  if (row.password_pending_until !== null)
    return { state: 'TRIAL', at: null, until: row.password_pending_until.toISOString() }
  if (row.next_encrypted_password !== null)
    return { state: 'PLANNED', at: row.password_change_at?.toISOString() ?? null, until: null }
  return row.password_change_result === null
    ? null
    : { state: row.password_change_result, at: row.password_changed_at?.toISOString() ?? null, until: null }
}

function suspensionOf({ suspended, byStaff, transit, reason }: AccountBillingStatus): TransitConnection['suspension'] {
  const by = byStaff ? 'staff' : 'billing'
  if (suspended || transit === 'closed') return { as: 'closed', by, reason }
  return transit === 'drained' ? { as: 'drained', by, reason } : null
}
