/**
 * Identity confirmation before anything that an unattended browser must not do: a passkey, or the password with the
 * second factor that sign-in requires. It is valid for ten minutes in that session. Signing in counts as well.
 */
import type { UserId } from '../../kernel/ids.ts'
import { forbidden, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps } from '../deps.ts'
import { withKeyedMutex } from '../keyed-mutex.ts'
import { logDenial } from '../log-denial.ts'
import { isPassword } from '../passwords.ts'
import { isRightCode, readSecondFactors } from './second-factor.ts'
import { IDENTITY_CONFIRMED_MINUTES } from '../policy.ts'
import { count, requireHashCapacity, type Limit } from '../throttle.ts'

const ATTEMPTS: Limit = { name: 'step-up', burst: 5, refillMs: 60_000 }

type Clocked = Pick<AccountsDeps, 'clock'>

/** Throws 403 `confirm_identity` unless the user of this session confirmed their identity recently. */
export async function requireConfirmedIdentity(deps: Clocked, db: Db, principal: Principal): Promise<void> {
  requireBrowser(principal)
  if ((await confirmedUntil(deps, db, principal)) === null) {
    throw forbidden('Confirm your identity with your password or a passkey first.', 'confirm_identity')
  }
}

/** Returns until when the confirmation is valid, and how it can be given again. */
export async function readIdentityProof(
  deps: Clocked,
  db: Db,
  principal: Principal,
): Promise<{ until: string | null; passkeys: number; code: 'app' | 'recovery' | null }> {
  requireBrowser(principal)
  const until = await confirmedUntil(deps, db, principal)
  const { app, passkeys } = await readSecondFactors(db, staffOrUser(principal).userId)
  return { until: until?.toISOString() ?? null, passkeys, code: app ? 'app' : passkeys > 0 ? 'recovery' : null }
}

/** Returns null if the confirmation has expired. */
async function confirmedUntil({ clock }: Clocked, db: Db, principal: Principal): Promise<Date | null> {
  const { sessionId } = staffOrUser(principal)
  const session = await db.selectFrom('sessions').select('confirmed_at').where('id', '=', sessionId).executeTakeFirst()
  const until = new Date((session?.confirmed_at?.getTime() ?? 0) + IDENTITY_CONFIRMED_MINUTES * 60_000)
  return until > clock.now() ? until : null
}

/**
 * Throws 422 on `password` if it is not the caller's, 422 on `code` if a second factor is missing, and 429 after a
 * few attempts.
 */
export async function confirmByPassword(
  deps: AccountsDeps,
  actor: Actor,
  principal: Principal,
  { password, code }: { readonly password: string; readonly code?: string | undefined },
): Promise<void> {
  requireBrowser(principal)
  const { userId } = staffOrUser(principal)
  await requirePassword(deps, actor, userId, password)
  const { app, passkeys } = await readSecondFactors(deps.db, userId)
  if (app || passkeys > 0) {
    if (code === undefined) {
      throw invalid([{ field: 'code', message: `is required: ${app ? 'of your app, or ' : ''}a recovery code` }])
    }
    if (!(await isRightCode(deps, actor, userId, code))) {
      throw invalid([{ field: 'code', message: 'is wrong or was already used' }])
    }
  }
  await recordRecentProof(deps, deps.db, principal)
}

async function requirePassword(deps: AccountsDeps, actor: Actor, userId: UserId, password: string): Promise<void> {
  const { db, clock } = deps
  const subject = String(userId)
  await withKeyedMutex(`step-up ${subject}`, async () => {
    await requireHashCapacity(db, ATTEMPTS, subject, clock.now())
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (await isPassword(password_hash, password)) return
    await count(db, ATTEMPTS, subject, clock.now())
    logDenial(deps, actor, userId, 'password')
    throw invalid([{ field: 'password', message: 'is not your password' }])
  })
}

/** Records that the identity was confirmed in this session. */
export async function recordRecentProof({ clock }: Clocked, db: Db, principal: Principal): Promise<void> {
  const { sessionId, userId } = staffOrUser(principal)
  await db
    .updateTable('sessions')
    .set({ confirmed_at: clock.now() })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the user whose password and passkeys are asked for: during an impersonation, the member of staff. */
export const staffOrUser = (principal: Principal): Pick<Principal, 'userId' | 'sessionId'> =>
  principal.impersonation?.staff ?? principal

/** Rejects API tokens: a token may act for its owner but never change how the owner signs in. */
export function requireBrowser(principal: Principal): void {
  if (principal.via !== 'session')
    throw forbidden('This requires a signed-in session. API tokens can’t do it.', 'session_required')
}
