/** Staff decisions about a prefix. */
import { accountOf } from '../../accounts/index.ts'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { conflict, forbidden, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import type { TransitWriter } from '../deps.ts'
import { recordFirstApproval } from '../events.ts'
import { isCurrent } from '../evidence/evidence.ts'
import { assess, type AssessedApproval } from '../evidence/store.ts'
import type { PrefixRow } from '../prefix-row.ts'
import { changeStatus, requireStatusFor } from '../prefix-status.ts'
import { afterAction, type StaffAction } from '../states.ts'
import type { ApprovalBasis } from './tables.ts'
import { lockSpace } from './prefix-ownership.ts'

export async function anyPrefix(db: Db, id: number, lock: 'lock' | 'read'): Promise<PrefixRow> {
  const [row] = await (lock === 'lock' ? lockPrefix : readPrefix)(db, { id })
  if (!row) throw notFound()
  return row
}
const prefixWith = (db: Db, { id }: Places<{ id: number }>) =>
  db.selectFrom('transit_prefixes').selectAll().where('id', '=', id)
const readPrefix = preparedQuery(['id'], prefixWith)
const lockPrefix = preparedQuery(['id'], (db, which: Places<{ id: number }>) => prefixWith(db, which).forUpdate())

export interface Decision {
  readonly action: StaffAction
  readonly reason: string | null
  readonly actor: Actor
  readonly at: Date
}

/** Makes the decision, or records it as the first of two approvals that the policy requires. */
export async function decide(deps: TransitWriter, db: Db, id: number, decision: Decision): Promise<void> {
  const row = await lockForDecision(db, id, decision)
  if (decision.action !== 'approve' || !afterAction('approve', row.status)) {
    return changeStatus(deps, db, row, decision)
  }
  const approval = await assess(db, row, decision.at)
  requireApprovable(row, approval, decision)
  if (approval.people === 2 && approval.given.length === 0) {
    return giveFirstApproval(db, row, decision.reason ?? '', decision)
  }
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', decision.actor.userId)
    .executeTakeFirstOrThrow()
  const people = [...new Set([...approval.given.map((one) => one.email), email])]
  await changeStatus(deps, db, row, {
    ...decision,
    approved: { basis: basisOf(approval, people, decision.at), unknown: approval.unknown },
  })
}

async function lockForDecision(db: Db, id: number, { action, actor }: Decision): Promise<PrefixRow> {
  // Before the row: claims of space take the locks in this order.
  if (action === 'approve') await lockSpace(db)
  const row = await anyPrefix(db, id, 'lock')
  if (action === 'approve' && actor.userId !== null && isOwnRequest(row, await accountOf(db, actor.userId)))
    throw forbidden('You can’t approve a request of your own account.', 'own_request')
  const held = await db
    .selectFrom('prefix_held_decisions as held')
    .innerJoin('users', 'users.id', 'held.staff_id')
    .select(['users.email', 'held.action', 'held.failure'])
    .where('held.prefix_id', '=', id)
    .executeTakeFirst()
  if (held?.failure === null)
    throw conflict(
      `It is ${row.status}, and ${held.email} decided to ${held.action} it a moment ago. Undo that first, or wait until it takes effect.`,
    )
  if (held) await db.deleteFrom('prefix_held_decisions').where('prefix_id', '=', id).execute()
  return row
}

/** Throws what `decide` would throw, and changes nothing. */
export async function requireDecidable(db: Db, id: number, decision: Decision): Promise<PrefixRow> {
  const row = await lockForDecision(db, id, decision)
  requireStatusFor(decision.action, row.status)
  if (decision.action === 'approve') requireApprovable(row, await assess(db, row, decision.at), decision)
  return row
}

function requireApprovable(row: PrefixRow, approval: AssessedApproval, { reason, actor, at }: Decision): void {
  if (approval.blocked !== null) throw conflict(approval.blocked)
  if (areChecksDue(row, approval.policy.checkAgeMinutes, at)) {
    throw conflict(`It is ${row.status}, and its checks have not finished. Try again in a moment.`)
  }
  if (approval.unknown && reason === null) {
    throw conflict(
      `It is ${row.status}: ${approval.why} Try again later. If it cannot wait, two people have to approve it, each with a reason.`,
    )
  }
  if (waitsForAnother(approval, actor.userId)) {
    throw conflict(`It is ${row.status}, and you have approved it already. A second person has to.`)
  }
  if (approval.reason && reason === null) {
    throw invalid([{ field: 'reason', message: `is required: ${approval.why}` }])
  }
}

/** Staff may be customers as well. Whatever their role, somebody else must decide about their space. */
export const isOwnRequest = (row: Pick<PrefixRow, 'account_id'>, accountOfStaff: AccountId): boolean =>
  row.account_id === accountOfStaff

/** Two approvals need two people. If one is enough by now, it may be the person who gave the first. */
export const waitsForAnother = ({ people, given }: AssessedApproval, staffId: UserId | null): boolean =>
  people === 2 && given.some((one) => one.staffId === staffId)

/** Returns whether an approval has to query the sources first, because their answers are too old or incomplete. */
export function areChecksDue(row: PrefixRow, checkAgeMinutes: number, now: Date): boolean {
  const { checked_at: checkedAt, downstream_as_of: downstreamAsOf } = row
  const isOld = (at: Date) => now.getTime() - at.getTime() > checkAgeMinutes * 60_000
  // A check may use an AS-SET that was read some minutes earlier.
  return checkedAt === null || isOld(checkedAt) || (downstreamAsOf !== null && isOld(downstreamAsOf))
}

async function giveFirstApproval(db: Db, row: PrefixRow, reason: string, { actor, at }: Decision): Promise<void> {
  await db
    .insertInto('prefix_approvals')
    .values({ prefix_id: row.id, staff_id: actor.userId!, reason, created_at: at })
    .execute()
  await recordFirstApproval(db, actor, row, reason)
}

export const basisOf = (
  { rule, policy, evidence }: AssessedApproval,
  people: readonly string[],
  at: Date,
): ApprovalBasis => ({
  rule,
  policyVersion: policy.version,
  people,
  evidence: evidence
    .filter((one) => isCurrent(one, at))
    .map(({ kind, source, strength, observedAt }) => ({
      kind,
      source,
      strength,
      observedAt: observedAt.toISOString(),
    })),
})
