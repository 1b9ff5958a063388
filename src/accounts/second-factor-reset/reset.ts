/**
 * Resets a lost second factor after approval by two people and a wait in which the customer can stop it (decision
 * 39). `reset-job.ts` carries out what was approved.
 */
import type { UserId } from '../../kernel/ids.ts'
import { conflict, notFound, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { SecondFactorReset, SecondFactorResets } from '../contract/second-factor-reset.ts'
import type { AccountsDeps } from '../deps.ts'
import { issueMailToken, redeemMailToken, spentLink } from '../emails/mail-tokens.ts'
import { notifyStaff } from '../emails/notify.ts'
import { resetRequestedForStaff, sendResetApproved, sendResetRequested } from '../emails/second-factor-reset-emails.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { hasSecondFactor } from '../has-second-factor.ts'
import { requireBrowser, requireConfirmedIdentity } from '../second-factor/step-up.ts'
import { requireUser, type Target } from '../support/target.ts'
import { count, networkOf, requireHashCapacity, type Limit } from '../throttle.ts'
import { digestOf } from '../tokens.ts'
import { endReset, isExpired, lockOpenReset, type OpenReset } from './end-reset.ts'
import { addressesOf } from './former-addresses.ts'
import { APPROVAL_HOURS } from './limits.ts'
import { approvalIssue, countApprovers, requestIssue, roleIssue, type Caller } from './may-reset.ts'

const HOUR = 3_600_000
/** The number of newest resets shown. */
const SHOWN = 20
/** Nobody can guess 256 bits: this limit only bounds the work. */
const WRONG_LINKS: Limit = { name: 'stop link', burst: 20, refillMs: 60_000 }

type Deps = AccountsDeps
interface Request {
  readonly actor: Actor
  readonly principal: Principal
}

/** Lists all resets, newest first, and why the caller cannot act. Throws 404 for an unknown user. */
export async function listResets(
  deps: Pick<Deps, 'clock' | 'secondFactorResetWaitMs'>,
  db: Db,
  principal: Principal,
  userId: UserId,
): Promise<SecondFactorResets> {
  const target = await requireUser(db, userId, 'closed too')
  const now = deps.clock.now()
  const rows = await db
    .selectFrom('second_factor_resets as reset')
    .innerJoin('users as requester', 'requester.id', 'requested_by')
    .leftJoin('users as approver', 'approver.id', 'approved_by')
    .leftJoin('users as ender', 'ender.id', 'ended_by')
    .selectAll('reset')
    .select(['requester.first_name as requester_first', 'requester.last_name as requester_last'])
    .select(['approver.first_name as approver_first', 'approver.last_name as approver_last'])
    .select(['ender.first_name as ender_first', 'ender.last_name as ender_last'])
    .where('user_id', '=', userId)
    .orderBy('reset.id', 'desc')
    .limit(SHOWN)
    .execute()
  const [first] = rows
  const open: OpenReset | null =
    first && first.ended_at === null
      ? {
          id: first.id,
          userId,
          requestedBy: first.requested_by,
          ofStaff: first.of_staff,
          approveBefore: first.approve_before,
          approvedAt: first.approved_at,
          approvedBy: first.approved_by,
          dueAt: first.due_at,
        }
      : null
  const current = open && !isExpired(open, now) ? open : null
  const caller: Caller = { userId: principal.userId, roles: principal.roles }
  const request = (await requestIssue(db, caller, target, now)) ?? (await stateIssue(db, target, current))
  return {
    resets: rows.map((row): SecondFactorReset => ({
      id: row.id,
      state: row.outcome ?? (row.approved_at ? 'approved' : row.approve_before <= now ? 'expired' : 'requested'),
      reason: row.reason,
      identityCheck: row.identity_check,
      requestedAt: row.requested_at.toISOString(),
      requestedBy: { id: row.requested_by, name: `${row.requester_first} ${row.requester_last}` },
      approveBefore: row.approve_before.toISOString(),
      approval: row.approved_at && {
        at: row.approved_at.toISOString(),
        by: { id: row.approved_by!, name: `${row.approver_first} ${row.approver_last}` },
        dueAt: row.due_at!.toISOString(),
      },
      end: row.ended_at && {
        at: row.ended_at.toISOString(),
        by: row.ended_by === null ? null : { id: row.ended_by, name: `${row.ender_first} ${row.ender_last}` },
        reason: row.end_reason,
      },
    })),
    denied: {
      request: request?.detail ?? null,
      approve: current ? ((await approvalIssue(db, caller, target, { reset: current, now }))?.detail ?? null) : null,
      cancel: current ? (roleIssue(caller, target)?.detail ?? null) : null,
    },
    approvers: await countApprovers(db, target, current?.requestedBy ?? principal.userId, now),
    waitHours: deps.secondFactorResetWaitMs / HOUR,
  }
}

/** Throws 403 if the caller may not, 409 without a second factor, and 409 if a reset is already open. */
export async function requestReset(
  deps: Deps,
  db: Db,
  { actor, principal }: Request,
  userId: UserId,
  { reason, identityCheck }: { readonly reason: string; readonly identityCheck: string },
): Promise<void> {
  const { open, target, caller } = await confirmAndLock(deps, db, principal, userId)
  const now = deps.clock.now()
  throwAny(await requestIssue(db, caller, target, now))
  if (open && isExpired(open, now)) await endReset(deps, db, actor, open, { outcome: 'expired' })
  else throwAny(await stateIssue(db, target, open))
  throwAny(await stateIssue(db, target, null))
  const approveBefore = new Date(now.getTime() + APPROVAL_HOURS * HOUR)
  const { id } = await db
    .insertInto('second_factor_resets')
    .values({
      user_id: userId,
      reason,
      identity_check: identityCheck,
      of_staff: target.isStaff,
      requested_by: caller.userId,
      requested_at: now,
      approve_before: approveBefore,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordUserEvent(db, actor, userId, 'second_factor_reset.requested', { reset: id, reason, identityCheck })
  for (const to of await addressesOf(db, userId, now)) {
    const token = await issueMailToken(db, 'stop_second_factor_reset', userId, now, { reset: id })
    await sendResetRequested(db, deps, to, { token, waitMs: deps.secondFactorResetWaitMs })
  }
  const { name } = caller
  const content = resetRequestedForStaff({
    userId,
    email: target.email,
    by: name,
    reason,
    identityCheck,
    approveBefore,
  })
  await notifyStaff(db, deps, content, [caller.userId, userId])
}

/** Throws 403 for the requester, the user and recent staff, 409 if there is nothing left to approve. */
export async function approveReset(
  deps: Deps,
  db: Db,
  { actor, principal }: Request,
  userId: UserId,
  resetId: number,
): Promise<void> {
  const { open, target, caller } = await confirmAndLock(deps, db, principal, userId)
  const now = deps.clock.now()
  const reset = await requireOpen(db, open, userId, resetId)
  throwAny(await approvalIssue(db, caller, target, { reset, now }))
  const dueAt = new Date(now.getTime() + deps.secondFactorResetWaitMs)
  await db
    .updateTable('second_factor_resets')
    .set({ approved_by: caller.userId, approved_at: now, due_at: dueAt })
    .where('id', '=', reset.id)
    .execute()
  await recordUserEvent(db, actor, userId, 'second_factor_reset.approved', { reset: reset.id, dueAt })
  for (const to of await addressesOf(db, userId, now)) {
    const token = await issueMailToken(db, 'stop_second_factor_reset', userId, now, { reset: reset.id })
    await sendResetApproved(db, deps, to, { token, dueAt })
  }
}

/** The requester may cancel, too. Throws 409 if the reset has ended. */
export async function cancelReset(
  deps: Deps,
  db: Db,
  { actor, principal }: Request,
  userId: UserId,
  { resetId, reason }: { readonly resetId: number; readonly reason: string },
): Promise<void> {
  const { open, target, caller } = await confirmAndLock(deps, db, principal, userId)
  throwAny(roleIssue(caller, target))
  const reset = await requireOpen(db, open, userId, resetId)
  if (isExpired(reset, deps.clock.now())) throw conflict('This reset was not approved in time.')
  await endReset(deps, db, actor, reset, { outcome: 'cancelled', by: caller.userId, reason })
}

/** Stops the reset for the signed-in customer. Throws 409 if none is open. */
export async function stopReset(deps: Deps, db: Db, { actor, principal }: Request): Promise<void> {
  requireBrowser(principal)
  const reset = await lockOpenReset(db, principal.userId)
  if (!reset) throw conflict('There is no reset to stop. It ended before.')
  await endReset(deps, db, actor, reset, { outcome: 'stopped', by: principal.userId, data: { by: 'session' } })
}

/** Stops the reset by the link of an email, signed in or not. Throws 422 for a used link or an ended reset. */
export async function stopResetByLink(deps: Deps, actor: Actor, token: string): Promise<void> {
  const { db, clock } = deps
  const network = networkOf(actor.ip ?? '')
  await requireHashCapacity(db, WRONG_LINKS, network, clock.now())
  const stopped = await inTransaction(db, async (transaction) => {
    const link = await transaction
      .selectFrom('mail_tokens')
      .select('user_id')
      .where('digest', '=', digestOf(token))
      .where('purpose', '=', 'stop_second_factor_reset')
      .executeTakeFirst()
    if (!link) return false
    // Locked before the token, in the same order as everywhere else.
    const reset = await lockOpenReset(transaction, link.user_id)
    const { userId, payload } = await redeemMailToken(transaction, ['stop_second_factor_reset'], token, clock.now())
    if (!reset || (payload as { reset?: unknown }).reset !== reset.id) return false
    const owner = impersonating(actor, userId)
    await endReset(deps, transaction, owner, reset, { outcome: 'stopped', by: userId, data: { by: 'link' } })
    return true
  })
  if (stopped) return
  await count(db, WRONG_LINKS, network, clock.now())
  throw spentLink()
}

interface Locked {
  readonly open: OpenReset | null
  readonly target: Target
  readonly caller: Caller & { readonly name: string }
}

/**
 * Requires a recent identity confirmation. It locks the reset, then both accounts, and reads the caller's role again.
 * So of two concurrent calls, the second sees what the first did, and a role changed in the meantime counts.
 */
async function confirmAndLock(deps: Deps, db: Db, principal: Principal, userId: UserId): Promise<Locked> {
  await requireConfirmedIdentity(deps, db, principal)
  const open = await lockOpenReset(db, userId)
  const held = await db
    .selectFrom('users')
    .select(['id', 'staff_roles', 'first_name', 'last_name'])
    .where('id', 'in', [userId, principal.userId])
    .orderBy('id')
    .forUpdate()
    .execute()
  const target = await requireUser(db, userId)
  const caller = held.find(({ id }) => id === principal.userId)
  if (!caller) throw notFound()
  const name = `${caller.first_name} ${caller.last_name}`
  // Also finds a reset that was requested while this waited for the account locks.
  return {
    open: open ?? (await lockOpenReset(db, userId)),
    target,
    caller: { userId: caller.id, roles: caller.staff_roles, name },
  }
}

/** Throws 409 for a reset that has ended, 404 for one that is unknown or belongs to another user. */
async function requireOpen(db: Db, open: OpenReset | null, userId: UserId, resetId: number): Promise<OpenReset> {
  if (open?.id === resetId) return open
  const row = await db
    .selectFrom('second_factor_resets')
    .select('id')
    .where('id', '=', resetId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  throw row ? conflict('This reset has ended.') : notFound()
}

async function stateIssue(db: Db, target: Target, open: OpenReset | null): Promise<Problem | null> {
  if (open) return conflict('A reset is already requested.')
  const user = await db
    .selectFrom('users')
    .select(hasSecondFactor)
    .where('id', '=', target.id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return user?.hasSecondFactor ? null : conflict('This account has no second factor.')
}

function throwAny(issue: Problem | null): void {
  if (issue) throw issue
}
