/** Staff and their roles. Owners grant and revoke access, and at least one owner always stays. */
import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { StaffRole } from '../../kernel/required-role.ts'
import { conflict, invalid, notFound, taken } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { revokeApiTokens } from '../api-tokens.ts'
import type { StaffMember } from '../contract.ts'
import type { Sender } from '../deps.ts'
import { recordUserEvent } from '../events.ts'
import { sendStaffGranted, sendStaffRevoked } from '../emails/emails.ts'
import { endOtherSessions } from '../sessions.ts'
import '../tables.ts'
import { foldEmail } from '../users.ts'

export async function listStaff(db: Db, id?: UserId): Promise<StaffMember[]> {
  let query = db
    .selectFrom('users')
    .leftJoin('totp_factors', 'totp_factors.user_id', 'users.id')
    .select(['users.id', 'email', 'first_name', 'last_name', 'staff_roles', 'last_sign_in_at', 'last_sign_in_ip'])
    .select('totp_factors.confirmed_at')
    .select(sql<number>`(select count(*) from passkeys p where p.user_id = users.id)::int`.as('passkeys'))
    .where('is_admin', '=', true)
    .where('closed_at', 'is', null)
  if (id !== undefined) query = query.where('users.id', '=', id)
  const rows = await query.orderBy('first_name').orderBy('last_name').orderBy('users.id').execute()
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    roles: row.staff_roles,
    hasTotp: row.confirmed_at !== null,
    passkeys: row.passkeys,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    lastSignInIp: row.last_sign_in_ip,
  }))
}

/** Throws 422 on `email` if no account has confirmed that address, 409 if the user is staff already. */
export async function grantStaff(
  deps: Sender,
  db: Db,
  actor: Actor,
  request: { readonly email: string; readonly roles: readonly StaffRole[] },
): Promise<StaffMember> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'is_admin'])
    .where('email', '=', foldEmail(request.email))
    .where('email_verified_at', 'is not', null)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw invalid([{ field: 'email', message: 'has no confirmed account yet; they need to sign up first' }])
  if (user.is_admin) throw taken('email', 'This user is already staff. Change their roles instead.')
  await writeRoles(db, actor, user.id, { action: 'account.staff_granted', before: [], after: request.roles })
  await sendStaffGranted(db, deps, { email: user.email, userId: user.id }, request.roles)
  return (await listStaff(db, user.id))[0]!
}

export async function changeRoles(
  db: Db,
  actor: Actor,
  { id, roles }: { readonly id: UserId; readonly roles: readonly StaffRole[] },
): Promise<StaffMember> {
  const before = await lockRoles(db, id, roles)
  if (!sameRoles(before.roles, roles)) {
    await writeRoles(db, actor, id, { action: 'account.roles_changed', before: before.roles, after: roles })
  }
  return (await listStaff(db, id))[0]!
}

export async function revokeStaff(deps: Sender, db: Db, actor: Actor, id: UserId): Promise<void> {
  const { roles, email } = await lockRoles(db, id, [])
  await writeRoles(db, actor, id, { action: 'account.staff_revoked', before: roles, after: [] })
  await endOtherSessions(db, actor, id, null)
  const revoked = await revokeApiTokens(db, actor, id, 'staff')
  await sendStaffRevoked(db, deps, { email, userId: id }, revoked)
}

/** Locks all owners, so that two owners who revoke each other at once cannot both succeed. */
async function lockRoles(
  db: Db,
  id: UserId,
  after: readonly StaffRole[],
): Promise<{ roles: readonly StaffRole[]; email: string }> {
  const owners = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'owner' = any(staff_roles)`)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const member = await db
    .selectFrom('users')
    .select(['staff_roles as roles', 'email'])
    .where('id', '=', id)
    .where('is_admin', '=', true)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!member) throw notFound()
  const others = owners.filter((owner) => owner.id !== id)
  if (others.length === 0 && !after.includes('owner')) {
    throw conflict('This is the only owner. Make another user an owner first.')
  }
  return member
}

async function writeRoles(
  db: Db,
  actor: Actor,
  id: UserId,
  change: {
    readonly action: 'account.staff_granted' | 'account.roles_changed' | 'account.staff_revoked'
    readonly before: readonly StaffRole[]
    readonly after: readonly StaffRole[]
  },
): Promise<void> {
  const { action, before, after } = change
  await db
    .updateTable('users')
    .set({ staff_roles: [...after] })
    .where('id', '=', id)
    .execute()
  await recordUserEvent(db, actor, id, action, { before, after })
}

const sameRoles = (a: readonly StaffRole[], b: readonly StaffRole[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role))
