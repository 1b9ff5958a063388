/** Recovery codes for a lost phone or security key. An account has them while it has a second factor. */
import type { UserId } from '../../kernel/ids.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { conflict } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps } from '../deps.ts'
import { sendRecoveryCodesRenewed, sendRecoveryCodeUsed } from '../emails/security-emails.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { hasSecondFactor } from '../has-second-factor.ts'
import { endLockedByUse, endResetByUse, lockOpenReset } from '../second-factor-reset/end-reset.ts'
import { digestOf } from '../tokens.ts'
import { lockUser } from '../users.ts'
import { base32 } from './totp.ts'

const RECOVERY_CODES = 10
/** 80 bits: nobody can guess one online, from however many networks. */
const CODE_BYTES = 10

export async function countRecoveryCodes(db: Db, userId: UserId): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return left
}

/** Replaces the recovery codes; the old ones stop working. Throws 409 without a second factor. */
export function renewRecoveryCodes(deps: AccountsDeps, actor: Actor, principal: Principal): Promise<string[]> {
  const { userId } = principal
  return inTransaction(deps.db, async (db) => {
    await endResetByUse(deps, db, actor, userId)
    await lockUser(db, userId)
    const user = await db.selectFrom('users').select(hasSecondFactor).where('id', '=', userId).executeTakeFirst()
    if (!user?.hasSecondFactor) throw conflict('Add a passkey or an authenticator app first.')
    await recordUserEvent(db, actor, userId, 'recovery_codes.renewed')
    await sendRecoveryCodesRenewed(db, deps, principal)
    return replaceRecoveryCodes(db, userId)
  })
}

/** Returns true if the code was valid. Each code works once. */
export function takeRecoveryCode(deps: AccountsDeps, actor: Actor, userId: UserId, code: string): Promise<boolean> {
  return inTransaction(deps.db, async (db) => {
    const reset = await lockOpenReset(db, userId)
    const taken = await db
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('digest', '=', digestOf(foldRecoveryCode(code)))
      .returning('user_id')
      .executeTakeFirst()
    if (!taken) return false
    if (reset) await endLockedByUse(deps, db, actor, reset)
    await recordUserEvent(db, impersonating(actor, userId), userId, 'recovery_code.used')
    const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    await sendRecoveryCodeUsed(db, deps, { email, userId }, await countRecoveryCodes(db, userId))
    return true
  })
}

/** Returns the new codes in groups of four characters; the database stores only their digests. */
export async function replaceRecoveryCodes(db: Db, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(CODE_BYTES)))
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, digest: digestOf(code) })))
    .execute()
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/**
 * Drops the codes after the last second factor was removed, when nothing asks for one. The caller has locked the
 * account.
 */
export async function dropUnusedRecoveryCodes(db: Db, userId: UserId): Promise<void> {
  await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not exists (select from passkeys p where p.user_id = recovery_codes.user_id)`)
    .where(
      sql<boolean>`not exists (select from totp_factors f where f.user_id = recovery_codes.user_id and f.confirmed_at is not null)`,
    )
    .execute()
}

const foldRecoveryCode = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
