/**
 * Ends a second factor reset before it is carried out (decision 39). Every transaction locks the reset first, then
 * the rows of the account and its factors, so that a sign-in and the job never deadlock.
 */
import type { UserId } from '../../kernel/ids.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { sendResetEnded } from '../emails/second-factor-reset-emails.ts'
import { voidMailTokens } from '../emails/mail-tokens.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import type { ResetOutcome } from '../tables.ts'
import { addressesOf } from './former-addresses.ts'

export type ResetDeps = Sender & Pick<AccountsDeps, 'clock'>

export interface OpenReset {
  readonly id: number
  readonly userId: UserId
  readonly requestedBy: UserId
  readonly ofStaff: boolean
  readonly approveBefore: Date
  readonly approvedAt: Date | null
  readonly approvedBy: UserId | null
  readonly dueAt: Date | null
}

/**
 * Returns the reset that has not ended and locks it until the transaction ends. It may be past the time to approve
 * it.
 */
export async function lockOpenReset(db: Db, userId: UserId): Promise<OpenReset | null> {
  const row = await db
    .selectFrom('second_factor_resets')
    .select(['id', 'user_id', 'requested_by', 'of_staff', 'approve_before', 'approved_at', 'approved_by', 'due_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    userId: row.user_id,
    requestedBy: row.requested_by,
    ofStaff: row.of_staff,
    approveBefore: row.approve_before,
    approvedAt: row.approved_at,
    approvedBy: row.approved_by,
    dueAt: row.due_at,
  }
}

/** Returns true if nobody approved it in time, even before the expiry is recorded. */
export const isExpired = ({ approvedAt, approveBefore }: OpenReset, now: Date): boolean =>
  approvedAt === null && approveBefore <= now

interface End {
  readonly outcome: ResetOutcome
  readonly by?: UserId
  readonly reason?: string
}

/** Records the end; the reset's emailed links stop working. The caller has locked the reset. */
export async function writeEnd(db: Db, reset: OpenReset, now: Date, { outcome, by, reason }: End): Promise<void> {
  await db
    .updateTable('second_factor_resets')
    .set({ outcome, ended_at: now, ended_by: by ?? null, end_reason: reason ?? null })
    .where('id', '=', reset.id)
    .execute()
  await voidMailTokens(db, reset.userId, ['stop_second_factor_reset'])
}

const ENDINGS = {
  expired: 'second_factor_reset.expired',
  stopped: 'second_factor_reset.stopped',
  cancelled: 'second_factor_reset.cancelled',
  factor_used: 'second_factor_reset.factor_used',
} as const

/** Ends a reset that was not carried out, and emails the customer. The caller has locked it. */
export async function endReset(
  deps: ResetDeps,
  db: Db,
  actor: Actor,
  reset: OpenReset,
  end: End & { readonly outcome: keyof typeof ENDINGS; readonly data?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { outcome, reason, data } = end
  const now = deps.clock.now()
  await writeEnd(db, reset, now, end)
  await recordUserEvent(db, actor, reset.userId, ENDINGS[outcome], {
    reset: reset.id,
    ...(reason === undefined ? {} : { reason }),
    ...data,
  })
  for (const to of await addressesOf(db, reset.userId, now)) await sendResetEnded(db, deps, to, outcome)
}

/**
 * Ends an open reset because the owner has just used, added or removed a factor: it is not lost. Call it first in the
 * transaction, for the lock order above. If the transaction fails, the reset stays open.
 */
export async function endResetByUse(deps: ResetDeps, db: Db, actor: Actor, userId: UserId): Promise<void> {
  const reset = await lockOpenReset(db, userId)
  if (reset) await endLockedByUse(deps, db, actor, reset)
}

/** Does the same for a reset that was locked before the factor was checked. */
export async function endLockedByUse(deps: ResetDeps, db: Db, actor: Actor, reset: OpenReset): Promise<void> {
  await endReset(deps, db, impersonating(actor, reset.userId), reset, { outcome: 'factor_used' })
}

/** Voids the reset of an account that closes: nothing is left to reset, and there is no one to notify. */
export async function voidReset(db: Db, userId: UserId, now: Date): Promise<void> {
  const reset = await lockOpenReset(db, userId)
  if (reset) await writeEnd(db, reset, now, { outcome: 'void' })
}
