/** Proves an ASN with a PeeringDB sign-in by a user who may edit the network with that ASN. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { RegistryError, type PeeringDb, type PeeringDbProfile } from '../../drivers/registry/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { conflict, invalid, unavailable, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import {
  publishVerified,
  insertVerification,
  readUserAsn,
  requireNotVerifiedElsewhere,
} from './verification-attempts.ts'
import { markAsnVerified } from './asn-ownership.ts'
import type { AccountsDeps } from '../deps.ts'
import { encrypt, decrypt } from '../../platform/encryption.ts'

const STATE_VALID_MS = 15 * 60_000
/** Every member of the organization may read. Only a user who may update speaks for the network. */
const MAY_UPDATE = 1 | 2

const stateShape = z.object({
  userId: z.int(),
  sessionId: z.int(),
  asn: z.int(),
  verifier: z.string(),
  until: z.int(),
})

/** Returns the URL to send the browser to. The state for the way back travels along encrypted, so nothing is stored. */
export async function beginPeeringDbProof(deps: AccountsDeps, principal: Principal): Promise<{ url: string }> {
  const peeringDb = configured(deps)
  const { asn } = await readUserAsn(deps.db, principal.accountId)
  if (asn === null) throw conflict('Enter your ASN first.')
  await requireNotVerifiedElsewhere(deps.db, asn, principal.accountId)
  const verifier = randomBytes(32).toString('base64url')
  const { userId, sessionId } = principal
  const until = deps.clock.now().getTime() + STATE_VALID_MS
  const plain = Buffer.from(JSON.stringify({ userId, sessionId, asn, verifier, until }))
  const state = encrypt(deps.secretKey, 'peeringdb state', plain).toString('base64url')
  return { url: peeringDb.authorizeUrl({ state, verifier, redirectUri: redirectUri(deps) }) }
}

/** Handles the browser's return from PeeringDB. Throws 422 on `state` unless this same session started it recently. */
export async function completePeeringDbProof(
  deps: AccountsDeps,
  actor: Actor,
  principal: Principal,
  answer: { code: string; state: string },
): Promise<void> {
  const peeringDb = configured(deps)
  const begun = readState(deps, principal, answer.state)
  const profile = await peeringDb
    .identify({ code: answer.code, verifier: begun.verifier, redirectUri: redirectUri(deps) })
    .catch((error: unknown) => {
      if (!(error instanceof RegistryError)) throw error
      deps.log.warn({ err: error }, 'PeeringDB did not answer')
      throw unavailable('PeeringDB does not answer at the moment. Try again soon.', 30, error)
    })
  if (!profile) throw invalid([{ field: 'code', message: 'is not taken by PeeringDB any more: begin again' }])
  const denial = whyNot(profile, begun.asn)
  if (denial) throw conflict(denial, 'peeringdb_refused')
  const { userId, accountId } = principal
  const now = deps.clock.now()
  await inTransaction(deps.db, async (db) => {
    const { id } = await insertVerification(db, 'peeringdb', {
      account_id: accountId,
      asn: begun.asn,
      contact_email: null,
      contact_source: `PeeringDB user ${profile.id}`,
      requested_by: userId,
      created_at: now,
      link_expires_at: null,
      verified_at: now,
    })
    if (!(await markAsnVerified(db, accountId, begun.asn, now))) throw conflict('You have named another ASN meanwhile.')
    await publishVerified(deps, db, actor, accountId, begun.asn, { verification: id, by: 'peeringdb' })
  })
}

/** Returns the reason why this profile does not prove the ASN; null if it does. */
export function whyNot(profile: PeeringDbProfile, asn: number): string | null {
  if (!profile.verifiedUser) return 'PeeringDB has not verified you as a member of an organization yet.'
  if (!profile.verifiedEmail) return 'Your address is not confirmed at PeeringDB yet: confirm it there first.'
  const network = profile.networks.find((candidate) => candidate.asn === asn)
  if (!network) return `Your account at PeeringDB does not belong to the network of ${formatAsn(asn)}.`
  if ((network.perms & MAY_UPDATE) !== MAY_UPDATE) {
    return `At PeeringDB you may look at the network of ${formatAsn(asn)}, but not edit it: ask its administrator.`
  }
  return null
}

function configured({ peeringDb }: AccountsDeps): PeeringDb {
  if (!peeringDb) throw conflict('Signing in with PeeringDB is not set up here: choose another proof.')
  return peeringDb
}

const redirectUri = ({ publicUrl }: AccountsDeps): string => `${publicUrl()}/awaiting-verification`

function readState(deps: AccountsDeps, principal: Principal, text: string): z.output<typeof stateShape> {
  let state: z.output<typeof stateShape>
  try {
    const plain = decrypt(deps.secretKey, 'peeringdb state', Buffer.from(text, 'base64url'))
    state = stateShape.parse(JSON.parse(plain.toString('utf8')))
  } catch {
    throw strayState()
  }
  const own = state.userId === principal.userId && state.sessionId === principal.sessionId
  if (!own || state.until <= deps.clock.now().getTime()) throw strayState()
  return state
}

const strayState = (): Problem =>
  invalid([{ field: 'state', message: 'was not begun in this browser, or took too long: begin again' }])
