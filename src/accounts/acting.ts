/**
 * Staff acting for a customer: they see the portal as that customer does, for a reason, for an hour at most, and change
 * something only for the quarter of an hour after they raised what they may. The customer is told, and everything
 * stands in their trail. It rides on the session of the member of staff and ends with it, with their role, and by itself.
 */
import { conflict, forbidden, notFound } from '../kernel/problem.ts'
import { holds } from '../kernel/duty.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor } from '../platform/audit.ts'
import { fixedQuery, type Db, type Places } from '../platform/db/index.ts'
import type { Acting, Principal } from '../platform/http/principal.ts'
import type { ActingSpell } from './contract.ts'
import { violates } from '../platform/db/constraint.ts'
import type { Sender } from './deps.ts'
import { recordAccountEvent } from './events.ts'
import { sendLookedAt } from './letters.ts'
import { ACTING_MINUTES, RAISED_MINUTES } from './policy.ts'
import { requireBrowser, requireRecentProof } from './step-up.ts'
import './tables.ts'

type Deps = Sender & { readonly clock: Clock }

/** Throws 404 for who is no customer, 409 for staff, and where this session acts for somebody already. */
export async function startActing(
  deps: Deps,
  db: Db,
  caller: { readonly actor: Actor; readonly principal: Principal },
  request: { readonly userId: number; readonly reason: string },
): Promise<ActingSpell> {
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
  for (const { id } of await openSpells(db).where('session_id', '=', principal.sessionId).execute()) {
    await closeSpell(db, actor, id, now, 'over')
  }
  const { id } = await db
    .insertInto('acting_spells')
    .values({
      staff_id: principal.userId,
      session_id: principal.sessionId,
      user_id: customer.id,
      reason: request.reason,
      started_at: now,
      expires_at: inMinutes(now, ACTING_MINUTES),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw violates(error, 'acting_spells_session')
        ? conflict('This browser is already viewing as a customer.')
        : error
    })
  const spell = (await readSpell(db, id))!
  const { name } = spell.staff
  await recordAccountEvent(db, actor, customer.id, 'acting.started', {
    acting: id,
    staff: name,
    reason: request.reason,
  })
  await sendLookedAt(db, deps, { email: customer.email, userId: customer.id }, { staff: name, ...request })
  return spell
}

/** Throws 403 `confirm_identity` unless the member of staff showed lately who they are. */
export async function raiseActing(
  deps: Deps,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
  reason: string,
): Promise<ActingSpell> {
  const { id, userId } = actingOf(principal)
  await requireRecentProof(deps, db, principal)
  const spell = await openSpells(db).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!spell) throw forbidden('Your customer view has ended.', 'acting_over')
  const until = new Date(Math.min(inMinutes(deps.clock.now(), RAISED_MINUTES).getTime(), spell.expires_at.getTime()))
  await db
    .updateTable('acting_spells')
    .set({ raised_reason: reason, raised_until: until })
    .where('id', '=', id)
    .execute()
  const raised = (await readSpell(db, id))!
  await recordAccountEvent(db, actor, userId, 'acting.raised', { acting: id, staff: raised.staff.name, reason })
  return raised
}

export async function endActing(
  { clock }: Pick<Deps, 'clock'>,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
): Promise<void> {
  await closeSpell(db, actor, actingOf(principal).id, clock.now(), 'ended')
}

/** Does nothing to what has ended before. */
export async function closeSpell(db: Db, actor: Actor, id: number, now: Date, how: 'ended' | 'over'): Promise<void> {
  const closed = await db
    .updateTable('acting_spells')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['user_id'])
    .executeTakeFirst()
  if (!closed) return
  const { staff } = (await readSpell(db, id))!
  await recordAccountEvent(db, actor, closed.user_id, 'acting.ended', { acting: id, staff: staff.name, how })
}

const customerOf = fixedQuery(
  ['sessionId', 'now'],
  (db, { sessionId, now }: Places<{ sessionId: number; now: Date }>) =>
    db
      .selectFrom('acting_spells')
      .innerJoin('users', 'users.id', 'acting_spells.user_id')
      .leftJoin('asn_holdings', 'asn_holdings.user_id', 'users.id')
      .select(['acting_spells.id', 'raised_until', 'users.id as userId', 'users.email', 'asn_holdings.verified_at'])
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where('users.is_admin', '=', false)
      .where('users.closed_at', 'is', null),
)

/** Whom a session of staff stands for by now: null when it is their own. Whoever lost the duty, or the customer who became staff, is not acted for. */
export async function findCustomer(
  db: Db,
  staff: Principal & { readonly sessionId: number },
  now: Date,
): Promise<Principal | null> {
  if (!holds(staff.roles, 'support') || staff.lacksSecondFactor) return null
  const [row] = await customerOf(db, { sessionId: staff.sessionId, now })
  if (!row) return null
  const { userId, email, sessionId } = staff
  const acting: Acting = {
    id: row.id,
    raised: row.raised_until !== null && row.raised_until > now,
    staff: { userId, email, sessionId },
  }
  return {
    userId: row.userId,
    email: row.email,
    isAdmin: false,
    roles: [],
    asnVerifiedAt: row.verified_at,
    via: 'session',
    // None of the customer's: what is bound to a session must not be bound to that of staff.
    sessionId: null,
    scopes: null,
    acting,
  }
}

export async function readSpell(db: Db, id: number): Promise<ActingSpell | null> {
  const row = await db
    .selectFrom('acting_spells')
    .innerJoin('users as staff', 'staff.id', 'staff_id')
    .selectAll('acting_spells')
    .select(['staff.first_name', 'staff.last_name', 'staff.email'])
    .where('acting_spells.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    userId: row.user_id,
    staff: { id: row.staff_id, name: `${row.first_name} ${row.last_name}`, email: row.email },
    reason: row.reason,
    startedAt: row.started_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    raisedUntil: row.raised_until?.toISOString() ?? null,
    raisedReason: row.raised_reason,
  }
}

const openSpells = (db: Db) =>
  db.selectFrom('acting_spells').select(['id', 'user_id', 'expires_at']).where('ended_at', 'is', null)

function actingOf({ acting, userId }: Principal): { id: number; userId: number } {
  if (!acting) throw conflict('You are not viewing as a customer.')
  return { id: acting.id, userId }
}

const inMinutes = (from: Date, minutes: number): Date => new Date(from.getTime() + minutes * 60_000)
