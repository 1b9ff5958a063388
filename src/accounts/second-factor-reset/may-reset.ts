/**
 * Decides which staff may request, approve and cancel a second factor reset. Each error has the text that screens
 * show.
 */
import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { conflict, forbidden, type Problem } from '../../kernel/problem.ts'
import { hasRole, missingRoleReason, type StaffRole } from '../../kernel/required-role.ts'
import type { Db } from '../../platform/db/index.ts'
import { STAFF_CHANGE_DAYS } from './limits.ts'
import { isActiveStaff, suspendedByStaff } from '../suspended-by-staff.ts'
import type { Target } from '../support/target.ts'
import '../tables.ts'
import { isExpired, type OpenReset } from './end-reset.ts'

const DAY = 86_400_000

export interface Caller {
  readonly userId: UserId
  readonly roles: readonly StaffRole[]
}

/** Requires the support role, or owner if the account belongs to staff. Canceling requires nothing more. */
export function roleIssue({ roles }: Caller, { isStaff }: Target): Problem | null {
  const missing = missingRoleReason(roles, 'support')
  if (missing) return forbidden(missing, 'insufficient_role')
  if (isStaff && !hasRole(roles, 'owner')) {
    return forbidden('This user is staff. Requires the Owner role.', 'insufficient_role')
  }
  return null
}

/** Returns why this member of staff cannot request a reset; null if they can. */
export async function requestIssue(db: Db, caller: Caller, target: Target, now: Date): Promise<Problem | null> {
  const issue = roleIssue(caller, target)
  if (issue) return issue
  if (caller.userId === target.id)
    return forbidden('You can’t reset your own second factor. Ask another member of staff.')
  if (await isRecentStaff(db, caller.userId, now)) {
    return forbidden(
      `Your staff access was granted or changed in the last ${STAFF_CHANGE_DAYS} days. Ask another member of staff.`,
    )
  }
  return null
}

/** Returns why this member of staff cannot approve this reset; null if they can. */
export async function approvalIssue(
  db: Db,
  caller: Caller,
  target: Target,
  { reset, now }: { readonly reset: OpenReset; readonly now: Date },
): Promise<Problem | null> {
  if (reset.approvedAt !== null) return conflict('This reset is already approved.')
  if (isExpired(reset, now)) return conflict('This reset was not approved in time. Request it again.')
  const issue = await requestIssue(db, caller, target, now)
  if (issue) return issue
  if (reset.requestedBy === caller.userId) {
    return forbidden('You requested this reset. Another member of staff must approve it.')
  }
  if (!(await areInCharge(db, target, [reset.requestedBy])))
    return conflict(
      'The member of staff who requested this reset can no longer act for it. Cancel it and request it again.',
    )
  if (isVoid(reset, target))
    return conflict('This user became staff after the request. Cancel it and request it again.')
  return null
}

/**
 * Returns true if the account became staff after the request. Only owners may reset staff, and an owner may not have
 * requested this.
 */
export const isVoid = (reset: Pick<OpenReset, 'ofStaff'>, { isStaff }: Pick<Target, 'isStaff'>): boolean =>
  isStaff && !reset.ofStaff

/**
 * Returns true if all of these staff may still do what they did for a reset. A compromised staff account that was
 * then suspended or revoked must not reach a customer's factor through an earlier request.
 */
export async function areInCharge(
  db: Db,
  target: Pick<Target, 'isStaff'>,
  people: readonly UserId[],
): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('staff_roles')
    .where('id', 'in', people)
    .where(isActiveStaff)
    .execute()
  const needed = target.isStaff ? 'owner' : 'support'
  return rows.length === new Set(people).size && rows.every(({ staff_roles: roles }) => hasRole(roles, needed))
}

const recentChange = (owner: `${string}.account_id`, now: Date) => sql<boolean>`exists (
  select from audit_events change
  where change.account_id = ${sql.ref(owner)} and change.actor_kind = 'staff'
    and change.action in ('account.staff_granted', 'account.roles_changed')
    and change.at > ${new Date(now.getTime() - STAFF_CHANGE_DAYS * DAY)})`

/**
 * Returns true if their access was granted or changed in the portal recently. Otherwise a stolen owner account could
 * add the second person. Access granted with the operator's CLI counts from the start.
 */
async function isRecentStaff(db: Db, userId: UserId, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select(recentChange('users.account_id', now).as('recent'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.recent
}

/** Returns how many staff could approve this requester's reset of this account. */
export async function countApprovers(db: Db, target: Target, requestedBy: UserId, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_admin', '=', true)
    .where('closed_at', 'is', null)
    .where('id', 'not in', [target.id, requestedBy])
    .where(target.isStaff ? sql<boolean>`'owner' = any(staff_roles)` : sql<boolean>`staff_roles && '{owner,support}'`)
    .where(sql<boolean>`not ${suspendedByStaff('users.account_id')}`)
    .where(sql<boolean>`not ${recentChange('users.account_id', now)}`)
    .executeTakeFirstOrThrow()
  return count
}
