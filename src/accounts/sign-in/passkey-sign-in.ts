/** Passkey authentication, for sign-in and for identity confirmation. */
import type { UserId } from '../../kernel/ids.ts'
import { invalid, unauthorized } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { CurrentUser, PasskeyAssertion, PasskeyRequest } from '../contract.ts'
import type { AccountsDeps } from '../deps.ts'
import {
  createChallenge,
  isChallenge,
  spendChallenge,
  type ChallengePurpose,
} from '../second-factor/passkey-challenge.ts'
import { partyOf } from '../second-factor/passkeys.ts'
import { endLockedByUse, lockOpenReset } from '../second-factor-reset/end-reset.ts'
import { startSession, type SessionOrigin } from '../sessions.ts'
import { logDenial } from '../log-denial.ts'
import { recordDevice } from './known-devices.ts'
import { GUESSES_FROM_NETWORK } from './sign-in.ts'
import { recordRecentProof, requireBrowser, staffOrUser } from '../second-factor/step-up.ts'
import { count, networkOf, requireHashCapacity } from '../throttle.ts'
import { readCurrentUser } from '../users.ts'
import { loadWebAuthn } from '../second-factor/webauthn.ts'

/** Creates a challenge, for the signed-in user or for anyone. */
export async function askForPasskey(deps: AccountsDeps, principal: Principal | null): Promise<PasskeyRequest> {
  const staffOrUserPrincipal = principal && staffOrUser(principal)
  const purpose: ChallengePurpose = staffOrUserPrincipal ? `confirm ${staffOrUserPrincipal.userId}` : 'sign-in'
  const own = staffOrUserPrincipal
    ? await deps.db.selectFrom('passkeys').selectAll().where('user_id', '=', staffOrUserPrincipal.userId).execute()
    : []
  return {
    relyingParty: partyOf(deps),
    challenge: createChallenge(deps.secretKey, purpose, deps.clock.now()).toString('base64url'),
    allowed: own.map((row) => ({ id: row.credential_id.toString('base64url'), transports: row.transports })),
  }
}

/** A passkey is something the user has and something they know or are at once, so no other factor is required. */
export async function signInByPasskey(
  deps: AccountsDeps,
  assertion: PasskeyAssertion,
  origin: SessionOrigin,
): Promise<{ user: CurrentUser; token: string }> {
  const { db, clock } = deps
  const network = networkOf(origin.ip)
  await requireHashCapacity(db, GUESSES_FROM_NETWORK, network, clock.now())
  const proved = await inTransaction(db, async (transaction) => {
    const userId = await verifyPasskey(deps, transaction, origin.actor, 'sign-in', assertion)
    if (userId === null) return null
    await recordDevice(transaction, deps, userId, origin, clock.now())
    const token = await startSession(deps, transaction, userId, { ...origin, confirmed: true }, clock.now())
    return { token, user: await readCurrentUser(transaction, userId, deps) }
  })
  if (proved) return proved
  await count(db, GUESSES_FROM_NETWORK, network, clock.now())
  const owner = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('credential_id', '=', Buffer.from(assertion.id, 'base64url'))
    .executeTakeFirst()
  logDenial(deps, origin.actor, owner?.user_id ?? null, 'passkey')
  throw unauthorized('This passkey is not known here any more, or took too long.', 'wrong_credentials')
}

/** Throws 422 on `credential` for a passkey that is not the caller's. */
export async function confirmByPasskey(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  principal: Principal,
  assertion: PasskeyAssertion,
): Promise<void> {
  requireBrowser(principal)
  const staffOrUserPrincipal = staffOrUser(principal)
  const userId = await verifyPasskey(deps, db, actor, `confirm ${staffOrUserPrincipal.userId}`, assertion)
  if (userId !== staffOrUserPrincipal.userId)
    throw invalid([{ field: 'credential', message: 'is not one of your passkeys' }])
  await recordRecentProof(deps, db, principal)
}

/**
 * Returns the owner of the passkey; null for an invalid response. Runs in a transaction, so that a response counts at
 * most once.
 */
async function verifyPasskey(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  purpose: ChallengePurpose,
  assertion: PasskeyAssertion,
): Promise<UserId | null> {
  const { id: relyingPartyId, origins } = partyOf(deps)
  const now = deps.clock.now()
  const credentialId = Buffer.from(assertion.id, 'base64url')
  const known = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  const reset = known ? await lockOpenReset(db, known.user_id) : null
  const passkey = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .where('credential_id', '=', credentialId)
    .where('users.closed_at', 'is', null)
    .where('users.email_verified_at', 'is not', null)
    .forUpdate('passkeys')
    .executeTakeFirst()
  if (!passkey) return null
  // Null if it was registered by a release that did not store it. The credential's own key must still sign.
  const handle = passkey.user_handle
  if (assertion.userHandle !== null && handle !== null && assertion.userHandle !== handle) return null
  let challenge = ''
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const answer = await verifyAuthenticationResponse({
    response: {
      id: assertion.id,
      rawId: assertion.id,
      type: 'public-key',
      response: {
        clientDataJSON: assertion.clientDataJSON,
        authenticatorData: assertion.authenticatorData,
        signature: assertion.signature,
      },
      clientExtensionResults: {},
    },
    expectedChallenge: (given) => {
      challenge = given
      return isChallenge(deps.secretKey, purpose, given, now)
    },
    expectedOrigin: origins,
    expectedRPID: relyingPartyId,
    credential: {
      id: assertion.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    deps.log.info({ err: error }, 'a passkey was refused')
    return null
  })
  if (!answer?.verified || !(await spendChallenge(db, challenge, now))) return null
  await db
    .updateTable('passkeys')
    .set({
      counter: answer.authenticationInfo.newCounter,
      synced: answer.authenticationInfo.credentialBackedUp,
      last_used_at: now,
    })
    .where('id', '=', passkey.id)
    .execute()
  if (reset) await endLockedByUse(deps, db, actor, reset)
  return passkey.user_id
}
