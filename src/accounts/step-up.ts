/** Asking for the password again before what an unattended browser must not do. */
import { forbidden, invalid } from '../kernel/problem.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { AccountsDeps } from './deps.ts'
import { inTurn } from './in-turn.ts'
import { isPassword } from './passwords.ts'
import { count, refuseWhenFull, type Limit } from './throttle.ts'

const ATTEMPTS: Limit = { name: 'step-up', burst: 5, refillMs: 60_000 }

/** Throws 422 on `field` when the password is not the caller's, 429 after a few of those. */
export async function confirmPassword(
  { db, clock }: AccountsDeps,
  principal: Principal,
  password: string,
  field: string,
): Promise<void> {
  requireBrowser(principal)
  const subject = String(principal.userId)
  await inTurn(`step-up ${subject}`, async () => {
    await refuseWhenFull(db, ATTEMPTS, subject, clock.now())
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', principal.userId)
      .executeTakeFirstOrThrow()
    if (await isPassword(password_hash, password)) return
    await count(db, ATTEMPTS, subject, clock.now())
    throw invalid([{ field, message: 'is not your password' }])
  })
}

/** A bearer token may work for its owner, but never change how the owner signs in. */
export function requireBrowser(principal: Principal): void {
  if (principal.via !== 'session') throw forbidden('Sign in to do this: a token cannot.', 'session_required')
}
