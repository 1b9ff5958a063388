/**
 * Staff suspend an account and lift the suspension (decision 39). It is a separate row beside billing's, so paying an
 * invoice does not lift it. Code that suspends services reads both as one. The only other effect here is that the
 * sessions end.
 */
import type { UserId } from '../../kernel/ids.ts'
import { conflict, forbidden } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Suspension } from '../contract/support.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { sendSuspended, sendSuspensionLifted } from '../emails/support-emails.ts'
import { recordUserEvent } from '../events.ts'
import { requireConfirmedIdentity } from '../second-factor/step-up.ts'
import { readStaffSuspension } from '../suspended-by-staff.ts'
import { requireOwnerForStaff, requireUser, type Target } from './target.ts'

type Deps = Sender & Pick<AccountsDeps, 'clock'>
interface Caller {
  readonly actor: Actor
  readonly principal: Principal
}

/** The number of newest suspensions shown. */
const SHOWN = 50

/** Lists all suspensions, newest first. Throws 404 for an unknown user. */
export async function listSuspensions(db: Db, userId: UserId): Promise<Suspension[]> {
  const { accountId } = await requireUser(db, userId, 'closed too')
  const rows = await db
    .selectFrom('account_suspensions')
    .innerJoin('users as staff', 'staff.id', 'suspended_by')
    .leftJoin('users as lifter', 'lifter.id', 'lifted_by')
    .select([
      'account_suspensions.id',
      'reason',
      'suspended_at',
      'suspended_by',
      'lifted_at',
      'lifted_by',
      'lift_reason',
    ])
    .select(['staff.first_name as staff_first', 'staff.last_name as staff_last'])
    .select(['lifter.first_name as lifter_first', 'lifter.last_name as lifter_last'])
    .where('account_suspensions.account_id', '=', accountId)
    .orderBy('account_suspensions.id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    reason: row.reason,
    at: row.suspended_at.toISOString(),
    by: { id: row.suspended_by, name: `${row.staff_first} ${row.staff_last}` },
    lifted:
      row.lifted_at === null
        ? null
        : {
            at: row.lifted_at.toISOString(),
            by: { id: row.lifted_by!, name: `${row.lifter_first} ${row.lifter_last}` },
            reason: row.lift_reason!,
          },
  }))
}

/** Throws 403 for oneself, and for staff unless an owner asks; 409 if it is already suspended. */
export async function suspendAccount(
  deps: Deps,
  db: Db,
  { actor, principal }: Caller,
  userId: UserId,
  reason: string,
): Promise<void> {
  const user = await confirmAndHold(deps, db, principal, userId)
  if (userId === principal.userId) throw forbidden('You can’t suspend your own account.')
  if ((await readStaffSuspension(db, user.accountId)) !== null) throw conflict('This account is already suspended.')
  await db
    .insertInto('account_suspensions')
    .values({ account_id: user.accountId, reason, suspended_by: principal.userId, suspended_at: deps.clock.now() })
    .execute()
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await recordUserEvent(db, actor, userId, 'account.suspended', { reason })
  await sendSuspended(db, deps, { email: user.email, userId }, reason)
}

/** Throws 409 if staff did not suspend it: only billing lifts a suspension for an unpaid invoice. */
export async function liftSuspension(
  deps: Deps,
  db: Db,
  { actor, principal }: Caller,
  userId: UserId,
  reason: string,
): Promise<void> {
  const user = await confirmAndHold(deps, db, principal, userId)
  const lifted = await db
    .updateTable('account_suspensions')
    .set({ lifted_by: principal.userId, lifted_at: deps.clock.now(), lift_reason: reason })
    .where('account_id', '=', user.accountId)
    .where('lifted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!lifted) throw conflict('This account is not suspended by staff.')
  await recordUserEvent(db, actor, userId, 'account.suspension_lifted', { reason })
  await sendSuspensionLifted(db, deps, { email: user.email, userId })
}

/**
 * Requires a recent identity confirmation, locks both rows in a fixed order and checks the caller again. Of two
 * owners who suspend each other at once, the second must fail, or nobody could lift it.
 */
async function confirmAndHold(deps: Deps, db: Db, principal: Principal, userId: UserId): Promise<Target> {
  await requireConfirmedIdentity(deps, db, principal)
  await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [userId, principal.userId])
    .orderBy('id')
    .forUpdate()
    .execute()
  const user = await requireUser(db, userId)
  requireOwnerForStaff(user, principal)
  if ((await readStaffSuspension(db, principal.accountId)) !== null) {
    throw forbidden('Your account was suspended a moment ago.', 'account_suspended_by_staff')
  }
  return user
}
