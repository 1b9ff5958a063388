/** Switches an authenticator app on and off. */
import { randomBytes } from 'node:crypto'
import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { encrypt } from '../../platform/encryption.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps } from '../deps.ts'
import { sendSecondFactorChanged } from '../emails/emails.ts'
import { recordUserEvent } from '../events.ts'
import { endResetByUse } from '../second-factor-reset/end-reset.ts'
import { endOtherSessions } from '../sessions.ts'
import { lockUser } from '../users.ts'
import { dropUnusedRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { isFirstCode, readFactor } from './second-factor.ts'
import { base32, otpauthUri, TOTP_PURPOSE } from './totp.ts'

/** RFC 4226 section 4 asks for 160 bits. */
const SECRET_BYTES = 20
const ALREADY_ON = 'The authenticator app is switched on already: switch it off first.'
const NOT_ON = 'No authenticator app is switched on.'

/** Creates a new secret. It has no effect until {@link confirmTotp} has verified a code. */
export async function beginTotp(deps: AccountsDeps, principal: Principal): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(SECRET_BYTES)
  const encrypted = encrypt(deps.secretKey, TOTP_PURPOSE, secret)
  const written = await deps.db
    .insertInto('totp_factors')
    .values({ user_id: principal.userId, encrypted_secret: encrypted, confirmed_at: null })
    .onConflict((again) =>
      again
        .column('user_id')
        .doUpdateSet({ encrypted_secret: encrypted, last_step: 0 })
        .where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!written) throw conflict(ALREADY_ON)
  return { secret: base32(secret), uri: otpauthUri(deps.config.PRODUCT_NAME, principal.email, secret) }
}

/** Switches the app on and returns the recovery codes, which are shown only once. Other sessions end. */
export async function confirmTotp(
  deps: AccountsDeps,
  actor: Actor,
  principal: Principal,
  code: string,
): Promise<string[]> {
  const { userId } = principal
  const factor = await readFactor(deps, userId)
  if (!factor) throw conflict('Begin with a new secret first.')
  if (factor.confirmed) throw conflict(ALREADY_ON)
  if (!(await isFirstCode(deps, userId, factor.secret, code))) {
    throw invalid([{ field: 'code', message: 'is not the current code of the app' }])
  }
  return inTransaction(deps.db, async (db) => {
    await endResetByUse(deps, db, actor, userId)
    // A concurrent sign-in without a code either finishes before this or finds the app.
    await lockUser(db, userId)
    const confirmed = await db
      .updateTable('totp_factors')
      .set({ confirmed_at: deps.clock.now() })
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    if (!confirmed) throw conflict(ALREADY_ON)
    const codes = await replaceRecoveryCodes(db, userId)
    await endOtherSessions(db, actor, userId, principal.sessionId)
    await recordUserEvent(db, actor, userId, 'totp.switched_on')
    await sendSecondFactorChanged(db, deps, principal, true)
    return codes
  })
}

export function switchTotpOff(deps: AccountsDeps, actor: Actor, principal: Principal): Promise<void> {
  const { userId } = principal
  return inTransaction(deps.db, async (db) => {
    await endResetByUse(deps, db, actor, userId)
    await lockUser(db, userId)
    const removed = await db
      .deleteFrom('totp_factors')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .returning('user_id')
      .executeTakeFirst()
    if (!removed) throw conflict(NOT_ON)
    await dropUnusedRecoveryCodes(db, userId)
    await recordUserEvent(db, actor, userId, 'totp.switched_off')
    await sendSecondFactorChanged(db, deps, principal, false)
  })
}
