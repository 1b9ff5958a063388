/**
 * Passkeys of an account (WebAuthn Level 3): the authenticator keeps the private key, and the portal the public one.
 */
import type { UserId } from '../../kernel/ids.ts'
import { macOf } from '../../platform/secret-key.ts'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { conflict, invalid, notFound, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Passkey, PasskeyCreation, PasskeyRegistration } from '../contract.ts'
import { violates } from '../../platform/db/constraint.ts'
import type { AccountsDeps } from '../deps.ts'
import { recordUserEvent } from '../events.ts'
import { sendPasskeysChanged } from '../emails/emails.ts'
import { createChallenge, isChallenge, spendChallenge } from './passkey-challenge.ts'
import { PASSKEYS_MAX } from '../policy.ts'
import { countRecoveryCodes, dropUnusedRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { relyingPartyOf, type RelyingParty } from './relying-party.ts'
import { readSecondFactors } from './second-factor.ts'
import { endResetByUse } from '../second-factor-reset/end-reset.ts'
import { endOtherSessions } from '../sessions.ts'
import '../tables.ts'
import { lockUser } from '../users.ts'
import { loadWebAuthn } from './webauthn.ts'

export async function listPasskeys(db: Db, userId: UserId): Promise<Passkey[]> {
  const rows = await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(view)
}

/**
 * Returns the options that the browser passes to the authenticator. Throws 409 if the portal has no host name that
 * passkeys can be bound to.
 */
export async function beginPasskey(deps: AccountsDeps, principal: Principal): Promise<PasskeyCreation> {
  const { userId, email } = principal
  const known = await deps.db.selectFrom('passkeys').select('credential_id').where('user_id', '=', userId).execute()
  return {
    relyingParty: { ...partyOf(deps), name: deps.config.PRODUCT_NAME },
    challenge: createChallenge(deps.secretKey, `register ${userId}`, deps.clock.now()).toString('base64url'),
    user: { id: await userHandleOf(deps, userId), name: email },
    known: known.map((row) => row.credential_id.toString('base64url')),
  }
}

/** Throws 422 on `credential` for a response that does not match our challenge. */
export async function addPasskey(
  deps: AccountsDeps,
  actor: Actor,
  principal: Principal,
  request: PasskeyRegistration,
): Promise<Passkey & { recoveryCodes: string[] | null }> {
  const { userId } = principal
  const { info, challenge } = await readRegistration(deps, userId, request)
  const handle = await userHandleOf(deps, userId)
  return inTransaction(deps.db, async (db) => {
    await endResetByUse(deps, db, actor, userId)
    // The lock lasts until the commit. Two concurrent requests cannot both take the last free slot, and a concurrent
    // sign-in by password alone either finishes before this or finds the passkey.
    await lockUser(db, userId)
    if (!(await spendChallenge(db, challenge, deps.clock.now()))) throw unreadable('was answered before: begin again')
    const before = await readSecondFactors(db, userId)
    if (before.passkeys >= PASSKEYS_MAX) {
      throw conflict(`An account takes ${PASSKEYS_MAX} passkeys: remove one first.`)
    }
    const row = await db
      .insertInto('passkeys')
      .values({
        user_id: userId,
        user_handle: handle,
        credential_id: Buffer.from(info.credential.id, 'base64url'),
        public_key: Buffer.from(info.credential.publicKey),
        counter: info.credential.counter,
        transports: request.credential.transports,
        name: request.name,
        synced: info.credentialBackedUp,
        created_at: deps.clock.now(),
        last_used_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw violates(error, 'passkeys_credential_id_key') ? unreadable('is registered already') : error
      })
    await recordUserEvent(db, actor, userId, 'passkey.added', { name: row.name })
    await sendPasskeysChanged(db, deps, principal, { name: row.name, added: true })
    // Sessions that signed in with the password alone must sign in again, now with the passkey.
    if (!before.app && before.passkeys === 0) await endOtherSessions(db, actor, userId, principal.sessionId)
    const hasCodes = (await countRecoveryCodes(db, userId)) > 0
    return { ...view(row), recoveryCodes: hasCodes ? null : await replaceRecoveryCodes(db, userId) }
  })
}

export async function renamePasskey(
  db: Db,
  actor: Actor,
  userId: UserId,
  { id, name }: { id: number; name: string },
): Promise<Passkey> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound()
  await recordUserEvent(db, actor, userId, 'passkey.renamed', { name })
  return view(row)
}

export async function removePasskey(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  principal: Principal,
  id: number,
): Promise<void> {
  await endResetByUse(deps, db, actor, principal.userId)
  await lockUser(db, principal.userId)
  const removed = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', principal.userId)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw notFound()
  await dropUnusedRecoveryCodes(db, principal.userId)
  await recordUserEvent(db, actor, principal.userId, 'passkey.removed', { name: removed.name })
  await sendPasskeysChanged(db, deps, principal, { name: removed.name, added: false })
}

export function partyOf({ publicUrl }: Pick<AccountsDeps, 'publicUrl'>): RelyingParty {
  const party = relyingPartyOf(publicUrl())
  if (!party) throw conflict('Passkeys need a portal with a host name: this one is known by an address alone.')
  return party
}

/**
 * Returns the id under which authenticators file the account. It is the same for all passkeys of an account and
 * reveals nothing about it.
 */
async function userHandleOf({ db, secretKey }: AccountsDeps, userId: UserId): Promise<string> {
  const known = await db
    .selectFrom('passkeys')
    .select('user_handle')
    .where('user_id', '=', userId)
    .where('user_handle', 'is not', null)
    .executeTakeFirst()
  return known?.user_handle ?? macOf(secretKey, 'passkey user', String(userId)).toString('base64url')
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

async function readRegistration(
  deps: AccountsDeps,
  userId: UserId,
  { credential }: PasskeyRegistration,
): Promise<{ info: RegistrationInfo; challenge: string }> {
  const { id, origins } = partyOf(deps)
  const { clientDataJSON, attestationObject } = credential
  let challenge = ''
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const answer = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: (given) => {
      challenge = given
      return isChallenge(deps.secretKey, `register ${userId}`, given, deps.clock.now())
    },
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    deps.log.info({ err: error }, 'a passkey was refused')
    throw unreadable('cannot be read, or took too long: begin again')
  })
  if (!answer.verified) throw unreadable('does not prove what it says: begin again')
  return { info: answer.registrationInfo, challenge }
}

const unreadable = (message: string): Problem => invalid([{ field: 'credential', message }])

interface Row {
  readonly id: number
  readonly name: string
  readonly synced: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const view = (row: Row): Passkey => ({
  id: row.id,
  name: row.name,
  synced: row.synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
