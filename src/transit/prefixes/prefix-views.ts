/** The views of prefixes for their owner and for staff. Rows leave transit only through these. */
import type { AccountId } from '../../kernel/ids.ts'
import { readAsnOwnership } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import type { AdminTransitPrefix, TransitPrefix } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import {
  loadedSince,
  publicEdgeError,
  edgeStatusIn,
  staffEdgeError,
  readEdgeStatusRows,
  type EdgeStatus,
} from '../edges/edge-status.ts'
import { viewDownstream, viewRouteObjects } from '../downstreams/view.ts'
import { viewContactLinks } from '../contact-links/view.ts'
import { attentionOf, valueOf, type PrefixRow } from '../prefix-row.ts'
import { findRouters } from '../../routers/index.ts'
import { carriesTraffic } from '../configuration/connection-facts.ts'
import { stagesOf, type StageContext } from './stages.ts'
import { afterAction, STAFF_ACTIONS, type StaffAction } from '../states.ts'
import { isCurrent } from '../evidence/evidence.ts'
import { viewHeldDecision } from './held-decisions.ts'
import { isOwnRequest, waitsForAnother } from './decisions.ts'
import { challengeToken } from '../evidence/challenge.ts'
import { reverseDnsViews } from '../evidence/reverse-dns-view.ts'
import { assess, readEvidenceOf, readRounds, type AssessedApproval } from '../evidence/store.ts'
import { hasRole } from '../../kernel/required-role.ts'
import type { Principal } from '../../platform/http/principal.ts'

/** The prefixes of one customer, in the order given. */
export async function viewPrefixes(
  deps: TransitDeps,
  db: Db,
  accountId: AccountId,
  rows: readonly PrefixRow[],
): Promise<TransitPrefix[]> {
  if (rows.length === 0) return []
  const contextOf = await stageContexts(deps, db, accountId)
  const proofOf = await proofs(deps, db, rows)
  return rows.map((row) => ({
    ...viewFields(row, contextOf(row)),
    ...proofOf(row),
    allowedActions: afterAction('withdraw', row.status) ? ['withdraw'] : [],
  }))
}

/** One prefix as its owner's list shows it, for use elsewhere. Null for another customer's. */
export async function viewOwnPrefix(
  deps: TransitDeps,
  db: Db,
  accountId: AccountId,
  id: number,
): Promise<TransitPrefix | null> {
  const rows = await db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .execute()
  return (await viewPrefixes(deps, db, accountId, rows))[0] ?? null
}

export async function viewForStaff(
  deps: TransitDeps,
  db: Db,
  row: PrefixRow,
  viewer: Pick<Principal, 'userId' | 'accountId' | 'roles'>,
): Promise<AdminTransitPrefix> {
  const context = (await stageContexts(deps, db, row.account_id))(row)
  const owner = await db
    .selectFrom('users as user')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'user.account_id')
    .leftJoin('transit_connections as connection', 'connection.account_id', 'user.account_id')
    .select(['user.id', 'user.email', 'user.first_name', 'user.last_name'])
    .select(['holding.asn', 'holding.verified_at', 'connection.as_set', 'connection.router_id'])
    .where('user.account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const decider = row.decided_by
    ? await db.selectFrom('users').select(['id', 'email']).where('id', '=', row.decided_by).executeTakeFirst()
    : undefined
  const approval = await assess(db, row, deps.clock.now())
  const mayApprove =
    !isOwnRequest(row, viewer.accountId) && approval.blocked === null && !waitsForAnother(approval, viewer.userId)
  const allowed = (action: StaffAction): boolean =>
    hasRole(viewer.roles, 'network') && afterAction(action, row.status) !== null && (action !== 'approve' || mayApprove)
  const [router] = owner.router_id ? await findRouters(db, [owner.router_id]) : []
  return {
    ...viewFields(row, context),
    allowedActions: STAFF_ACTIONS.filter(allowed),
    ...(await proofs(deps, db, [row]))(row),
    registration: await readRegistration(db, row.id),
    contactLinks: await viewContactLinks(db, row.id, deps.clock.now()),
    dnsResolver: { kind: deps.dns.kind, server: deps.dns.server },
    proven: row.proven,
    heldDecision: await viewHeldDecision(db, row.id),
    approval: viewApproval(row, approval),
    approvalBasis: row.approval_basis && {
      ...row.approval_basis,
      people: [...row.approval_basis.people],
      evidence: [...row.approval_basis.evidence],
    },
    decidedBy: decider ?? null,
    user: { id: owner.id, email: owner.email, firstName: owner.first_name, lastName: owner.last_name },
    asn: owner.asn,
    asSet: owner.as_set,
    asnVerifiedAt: owner.verified_at?.toISOString() ?? null,
    router: router ? { id: router.id, name: router.name } : null,
    edge: viewEdge(row, context.edgeStatus, {
      hasRouter: router !== undefined,
      verified: owner.verified_at !== null,
      withdrawn: row.announcement_type === 'STATIC' && !context.routerRuns,
    }),
  }
}

/** Returns the proofs of each prefix, and the token that would prove it. */
async function proofs(
  deps: TransitDeps,
  db: Db,
  rows: readonly PrefixRow[],
): Promise<(row: PrefixRow) => Pick<TransitPrefix, 'evidence' | 'token' | 'reverseDns'>> {
  const ids = rows.map(({ id }) => id)
  const evidence = await readEvidenceOf(db, ids)
  const rounds = await readRounds(db, ids)
  const reverseDnsOf = await reverseDnsViews(deps, db, ids)
  const now = deps.clock.now()
  return (row) => {
    const prefix = valueOf(row)
    const token = challengeToken(deps, { accountId: row.account_id, prefix, round: rounds.get(row.id) ?? 0 })
    return {
      token,
      reverseDns: reverseDnsOf(row.id, prefix, token),
      evidence: (evidence.get(row.id) ?? []).map((one) => ({
        ...one,
        observedAt: one.observedAt.toISOString(),
        expiresAt: one.expiresAt?.toISOString() ?? null,
        nextCheckAt: one.nextCheckAt?.toISOString() ?? null,
        current: isCurrent(one, now),
      })),
    }
  }
}

async function readRegistration(db: Db, prefixId: number): Promise<AdminTransitPrefix['registration']> {
  const row = await db
    .selectFrom('prefix_registrations')
    .selectAll()
    .where('prefix_id', '=', prefixId)
    .executeTakeFirst()
  if (!row) return null
  const { registry, handle, name, type, holder, placeholder, error } = row
  return {
    answeredAt: row.answered_at?.toISOString() ?? null,
    checkedAt: row.checked_at.toISOString(),
    registeredAt: row.registered_at?.toISOString() ?? null,
    changedAt: row.changed_at?.toISOString() ?? null,
    status: [...row.status],
    contacts: row.contacts.map((contact) => ({ ...contact, roles: [...contact.roles] })),
    registry,
    handle,
    name,
    type,
    holder,
    placeholder,
    error,
  }
}

/** Before the first check there are no known issues. An approval runs the checks first, and asks for a reason after that. */
function viewApproval(row: PrefixRow, approval: AssessedApproval): AdminTransitPrefix['approval'] {
  const { blocked, rule, people, reason, why, given } = approval
  const asked =
    row.checked_at === null && blocked === null
      ? { rule: 'Not checked yet', people: 1, reasonRequired: false, why: null }
      : { rule, people, reasonRequired: reason, why }
  return {
    blocked,
    ...asked,
    given: given.map((one) => ({ email: one.email, reason: one.reason, at: one.at.toISOString() })),
  }
}

/** Staff read the edge's own error message. */
function viewEdge(
  row: PrefixRow,
  edgeStatus: EdgeStatus,
  customer: { hasRouter: boolean; verified: boolean; withdrawn: boolean },
): AdminTransitPrefix['edge'] {
  const name = edgeStatus.edge?.name ?? null
  const loaded = loadedSince(row, edgeStatus) !== null
  const settled = loaded === (row.status === 'APPROVED')
  if (settled) return { name, loaded, settled, detail: loaded ? 'Live on the edge.' : 'Removed from the edge.' }
  const wait = loaded ? 'Still on the edge' : 'Not on the edge yet'
  const error = staffEdgeError(edgeStatus)
  const why = error
    ? error
    : row.status === 'APPROVED' && !customer.verified
      ? 'the ASN is not verified'
      : row.status === 'APPROVED' && !customer.hasRouter
        ? 'no router is assigned'
        : row.status === 'APPROVED' && customer.withdrawn
          ? 'its router is not running'
          : 'the change is being applied'
  return { name, loaded, settled, detail: `${wait}: ${why}` }
}

function viewFields(row: PrefixRow, context: StageContext) {
  const good = (status: PrefixRow['rpki_good_status'], asOf: Date | null) =>
    status && asOf ? { status, asOf: asOf.toISOString() } : null
  return {
    id: row.id,
    value: valueOf(row),
    status: row.status,
    statusReason: row.status_reason,
    rpkiStatus: row.rpki_status,
    irrStatus: row.irr_status,
    announcementType: row.announcement_type,
    originAsn: row.origin_asn,
    downstream: row.downstream && viewDownstream(row.downstream),
    suspendAt: row.status === 'APPROVED' ? (row.suspend_at?.toISOString() ?? null) : null,
    importedAt: loadedSince(row, context.edgeStatus)?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    checkedAt: row.checked_at?.toISOString() ?? null,
    rpki: {
      reason: row.rpki_reason,
      vrps: row.rpki_vrps,
      asOf: row.rpki_as_of?.toISOString() ?? null,
      lastGood: good(row.rpki_good_status, row.rpki_good_as_of),
    },
    irr: {
      objects: viewRouteObjects(row.irr_objects),
      asOf: row.irr_as_of?.toISOString() ?? null,
      lastGood: good(row.irr_good_status, row.irr_good_as_of),
    },
    attention:
      attentionOf(row) ?? (row.flagged_at ? 'It had no valid RPKI or IRR data at the last complete check.' : null),
    stages: stagesOf(row, context),
  }
}

/** Reads once what the stages of one customer's prefixes depend on. */
async function stageContexts(
  deps: TransitDeps,
  db: Db,
  accountId: AccountId,
): Promise<(row: PrefixRow) => StageContext> {
  const surroundings = await readEdgeStatusRows(db, { accountId })
  const edgeStatus = edgeStatusIn(surroundings)
  const [around] = surroundings
  const ownership = await readAsnOwnership(db, accountId, deps.clock.now())
  const sessionOf = (family: number): StageContext['session'] => {
    const row = surroundings.find((one) => one.family === family)
    if (!row?.state) return null
    return { state: row.enabled ? row.state : 'DISABLED', downSince: row.down_since, lastError: row.last_error }
  }
  return (row) => ({
    operatorAsn: deps.operator.asn,
    asSet: around!.as_set,
    customerAsn: ownership?.asn ?? null,
    registryOf: (asn) => deps.registryNames.known(asn),
    irrSource: deps.irrSource,
    hasRouter: around!.router_id !== null,
    routerRuns: around!.router_state !== null && carriesTraffic({ state: around!.router_state }),
    session: sessionOf(parsePrefix(row.value).family),
    edgeStatus,
    edgeError: publicEdgeError(edgeStatus),
  })
}
