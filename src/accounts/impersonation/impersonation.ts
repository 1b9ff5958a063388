/**
 * Impersonation: staff see the portal as a customer does, for a stated reason and at most an hour. They can change
 * something only within a quarter of an hour after they elevate. The customer gets an email, and every action is in
 * their audit log. It belongs to the session of the member of staff. It ends with that session, with their role, and
 * when its time is up.
 */
import type { UserId } from '../../kernel/ids.ts'
import { conflict, forbidden, notFound } from '../../kernel/problem.ts'
import { hasRole } from '../../kernel/required-role.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Actor } from '../../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import type { Impersonation, Principal } from '../../platform/http/principal.ts'
import type { ImpersonationSession } from '../contract.ts'
import { violates } from '../../platform/db/constraint.ts'
import type { Sender } from '../deps.ts'
import { recordUserEvent } from '../events.ts'
import { sendImpersonated } from '../emails/emails.ts'
import { IMPERSONATION_MINUTES, ELEVATED_MINUTES } from '../policy.ts'
import { requireBrowser, requireConfirmedIdentity } from '../second-factor/step-up.ts'
import { isSuspended } from '../suspended-by-staff.ts'
import '../tables.ts'

type Deps = Sender & { readonly clock: Clock }

/** Throws 404 if the user is not a customer, 409 for staff and if this session impersonates someone already. */
export async function startImpersonation(
  deps: Deps,
  db: Db,
  caller: { readonly actor: Actor; readonly principal: Principal },
  request: { readonly userId: UserId; readonly reason: string },
): Promise<ImpersonationSession> {
  const { actor, principal } = caller
  requireBrowser(principal)
  const now = deps.clock.now()
  const customer = await db
    .selectFrom('users')
    .select(['id', 'email', 'is_admin'])
    .where('id', '=', request.userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!customer) throw notFound()
  if (customer.is_admin) throw conflict('Staff accounts can’t be impersonated.')
  for (const { id } of await openImpersonations(db).where('session_id', '=', principal.sessionId).execute()) {
    await closeImpersonation(db, actor, id, now, 'over')
  }
  const { id } = await db
    .insertInto('impersonation_sessions')
    .values({
      staff_id: principal.userId,
      session_id: principal.sessionId,
      user_id: customer.id,
      reason: request.reason,
      started_at: now,
      expires_at: inMinutes(now, IMPERSONATION_MINUTES),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw violates(error, 'impersonation_sessions_session')
        ? conflict('This browser is already viewing as a customer.')
        : error
    })
  const impersonation = (await readImpersonation(db, id))!
  const { name } = impersonation.staff
  await recordUserEvent(db, actor, customer.id, 'impersonation.started', {
    impersonation: id,
    staff: name,
    reason: request.reason,
  })
  await sendImpersonated(db, deps, { email: customer.email, userId: customer.id }, { staff: name, ...request })
  return impersonation
}

/** Throws 403 `confirm_identity` unless the member of staff confirmed their identity recently. */
export async function elevateImpersonation(
  deps: Deps,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
  reason: string,
): Promise<ImpersonationSession> {
  const { id, userId } = impersonationOf(principal)
  await requireConfirmedIdentity(deps, db, principal)
  const impersonation = await openImpersonations(db).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!impersonation) throw forbidden('Your customer view has ended.', 'impersonation_ended')
  const until = new Date(
    Math.min(inMinutes(deps.clock.now(), ELEVATED_MINUTES).getTime(), impersonation.expires_at.getTime()),
  )
  await db
    .updateTable('impersonation_sessions')
    .set({ elevated_reason: reason, elevated_until: until })
    .where('id', '=', id)
    .execute()
  const elevated = (await readImpersonation(db, id))!
  await recordUserEvent(db, actor, userId, 'impersonation.elevated', {
    impersonation: id,
    staff: elevated.staff.name,
    reason,
  })
  return elevated
}

export async function endImpersonation(
  { clock }: Pick<Deps, 'clock'>,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
): Promise<void> {
  await closeImpersonation(db, actor, impersonationOf(principal).id, clock.now(), 'ended')
}

/** Does nothing if the impersonation has already ended. */
export async function closeImpersonation(
  db: Db,
  actor: Actor,
  id: number,
  now: Date,
  how: 'ended' | 'over',
): Promise<void> {
  const closed = await db
    .updateTable('impersonation_sessions')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['user_id'])
    .executeTakeFirst()
  if (!closed) return
  const { staff } = (await readImpersonation(db, id))!
  await recordUserEvent(db, actor, closed.user_id, 'impersonation.ended', {
    impersonation: id,
    staff: staff.name,
    how,
  })
}

const customerOf = preparedQuery(
  ['sessionId', 'now'],
  (db, { sessionId, now }: Places<{ sessionId: number; now: Date }>) =>
    db
      .selectFrom('impersonation_sessions')
      .innerJoin('users', 'users.id', 'impersonation_sessions.user_id')
      .leftJoin('asn_ownerships', 'asn_ownerships.account_id', 'users.account_id')
      .select([
        'impersonation_sessions.id',
        'elevated_until',
        'users.id as userId',
        'users.account_id as accountId',
        'users.email',
        'asn_ownerships.verified_at',
      ])
      .select(isSuspended)
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where('users.is_admin', '=', false)
      .where('users.closed_at', 'is', null),
)

/**
 * Returns the customer whom this staff session impersonates; null if none. It ends for staff who lost the role and
 * for a customer who became staff.
 */
export async function findCustomer(
  db: Db,
  staff: Principal & { readonly sessionId: number },
  now: Date,
): Promise<Principal | null> {
  if (!hasRole(staff.roles, 'support') || staff.lacksSecondFactor) return null
  const [row] = await customerOf(db, { sessionId: staff.sessionId, now })
  if (!row) return null
  const { userId, email, sessionId } = staff
  const impersonation: Impersonation = {
    id: row.id,
    elevated: row.elevated_until !== null && row.elevated_until > now,
    staff: { userId, email, sessionId },
  }
  return {
    userId: row.userId,
    accountId: row.accountId,
    email: row.email,
    isAdmin: false,
    roles: [],
    asnVerifiedAt: row.verified_at,
    via: 'session',
    // Not the customer's session: nothing bound to a customer's session may be bound to that of staff.
    sessionId: null,
    scopes: null,
    isSuspended: row.isSuspended,
    impersonation,
  }
}

export async function readImpersonation(db: Db, id: number): Promise<ImpersonationSession | null> {
  const row = await db
    .selectFrom('impersonation_sessions')
    .innerJoin('users as staff', 'staff.id', 'staff_id')
    .selectAll('impersonation_sessions')
    .select(['staff.first_name', 'staff.last_name', 'staff.email'])
    .where('impersonation_sessions.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    userId: row.user_id,
    staff: { id: row.staff_id, name: `${row.first_name} ${row.last_name}`, email: row.email },
    reason: row.reason,
    startedAt: row.started_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    elevatedUntil: row.elevated_until?.toISOString() ?? null,
    elevatedReason: row.elevated_reason,
  }
}

const openImpersonations = (db: Db) =>
  db.selectFrom('impersonation_sessions').select(['id', 'user_id', 'expires_at']).where('ended_at', 'is', null)

function impersonationOf({ impersonation, userId }: Principal): { id: number; userId: UserId } {
  if (!impersonation) throw conflict('You are not viewing as a customer.')
  return { id: impersonation.id, userId }
}

const inMinutes = (from: Date, minutes: number): Date => new Date(from.getTime() + minutes * 60_000)
