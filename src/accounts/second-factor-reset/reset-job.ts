/**
 * Carries out approved resets after their wait, and records those that expired without approval. One transaction
 * decides, removes the factors and sends the emails, so a crash leaves all of it or nothing.
 */
import type { UserId } from '../../kernel/ids.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { revokeApiTokens } from '../api-tokens.ts'
import type { AccountsDeps } from '../deps.ts'
import { sendResetCompleted } from '../emails/second-factor-reset-emails.ts'
import { recordUserEvent } from '../events.ts'
import { endOtherSessions } from '../sessions.ts'
import { endReset, isExpired, lockOpenReset, writeEnd, type OpenReset, type ResetDeps } from './end-reset.ts'
import { addressesOf } from './former-addresses.ts'
import { areInCharge, isVoid } from './may-reset.ts'

export function secondFactorResetReconciler(deps: ResetDeps & Pick<AccountsDeps, 'db'>): Reconciler {
  const { db: database, clock } = deps
  return {
    name: 'second-factor-resets',
    everyMs: 30_000,
    concurrency: 1,
    wakes: () => null,
    /** Returns account ids: each account has at most one open reset. */
    async due() {
      const now = clock.now()
      const rows = await database
        .selectFrom('second_factor_resets')
        .select('user_id')
        .where('ended_at', 'is', null)
        .where((eb) =>
          eb.or([eb('due_at', '<=', now), eb.and([eb('approved_at', 'is', null), eb('approve_before', '<=', now)])]),
        )
        .orderBy('id')
        .limit(200)
        .execute()
      return rows.map((row) => row.user_id)
    },
    reconcile: (id) => inTransaction(database, (db) => carryOut(deps, db, id as UserId)),
  }
}

async function carryOut(deps: ResetDeps, db: Db, userId: UserId): Promise<void> {
  const now = deps.clock.now()
  const reset = await lockOpenReset(db, userId)
  if (!reset) return
  if (isExpired(reset, now)) return endReset(deps, db, SYSTEM, reset, { outcome: 'expired' })
  if (reset.dueAt === null || reset.dueAt > now) return
  const user = await db
    .selectFrom('users')
    .select(['is_admin', 'closed_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (user.closed_at !== null || isVoid(reset, { isStaff: user.is_admin })) {
    return writeEnd(db, reset, now, { outcome: 'void' })
  }
  const people = [reset.requestedBy, ...(reset.approvedBy === null ? [] : [reset.approvedBy])]
  if (!(await areInCharge(db, { isStaff: user.is_admin }, people))) {
    const reason = 'The staff who requested or approved it can no longer act for it.'
    return endReset(deps, db, SYSTEM, reset, { outcome: 'cancelled', reason })
  }
  await removeFactors(deps, db, reset, now)
}

/** Removes all second factors. The password stays and is enough to sign in. */
async function removeFactors(deps: ResetDeps, db: Db, reset: OpenReset, now: Date): Promise<void> {
  const { userId } = reset
  const apps = await db.deleteFrom('totp_factors').where('user_id', '=', userId).returning('confirmed_at').execute()
  const passkeys = await db.deleteFrom('passkeys').where('user_id', '=', userId).returning('name').execute()
  const codes = await db.deleteFrom('recovery_codes').where('user_id', '=', userId).returning('user_id').execute()
  // Sessions started while the factor was required may not belong to the account's owner.
  await endOtherSessions(db, SYSTEM, userId, null)
  const revoked = await revokeApiTokens(db, SYSTEM, userId, 'all')
  await db.deleteFrom('mail_tokens').where('user_id', '=', userId).execute()
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
  await writeEnd(db, reset, now, { outcome: 'completed' })
  await recordUserEvent(db, SYSTEM, userId, 'second_factor_reset.completed', {
    reset: reset.id,
    app: apps.some(({ confirmed_at }) => confirmed_at !== null),
    passkeys: passkeys.map(({ name }) => name),
    recoveryCodes: codes.length,
  })
  for (const to of await addressesOf(db, userId, now)) await sendResetCompleted(db, deps, to, revoked)
}
