/**
 * Enrolls an agent's key for a hypervisor or an edge with a one-time token that staff created. See
 * docs/decisions/0034-agents.md.
 */
import { issueCertificate, keyDigest } from '../../drivers/agent/certificates.ts'
import { writeEnrolmentToken } from '../../drivers/agent/enrolment-token.ts'
import type { EnrolReply, EnrolRequest } from '../../drivers/agent/protocol.ts'
import type { Clock } from '../../kernel/clock.ts'
import { audit, SYSTEM, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { SecretKey } from '../../platform/secret-key.ts'
import { createToken, keyedDigestOf, keyedDigestsOf } from '../tokens.ts'
import { recordAgentEvent, revokeAccepted } from './agents.ts'
import { readAuthority } from './authority.ts'
import type { AgentOf } from './tables.ts'

const TOKEN_LIFETIME_MS = 24 * 3_600_000

export interface EnrolmentDeps {
  readonly secretKey: SecretKey
  readonly clock: Clock
}

/** Creates a token and returns it once. A later token for the same hypervisor or edge replaces it. */
export async function createEnrolmentToken(
  { secretKey, clock }: EnrolmentDeps,
  db: Db,
  actor: Actor,
  { kind, slug }: AgentOf,
): Promise<{ token: string; expiresAt: string }> {
  const secret = createToken()
  const authority = (await readAuthority(db, secretKey)).certificate
  const expiresAt = new Date(clock.now().getTime() + TOKEN_LIFETIME_MS)
  const values = { digest: keyedDigestOf(secretKey, secret), expires_at: expiresAt }
  await db
    .insertInto('agent_tokens')
    .values({ kind, slug, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet(values))
    .execute()
  await audit(db, actor, {
    action: 'agent.token_created',
    subject: { type: 'agent', id: null },
    accountId: null,
    data: { kind, slug },
  })
  return { token: writeEnrolmentToken({ secret, authority }), expiresAt: expiresAt.toISOString() }
}

/**
 * Enrolls the key that came with the token. It replaces the previous key, whose connection ends. Errors do not reveal
 * which tokens exist.
 */
export function enrolAgent({ secretKey, clock }: EnrolmentDeps, db: Db, request: EnrolRequest): Promise<EnrolReply> {
  const key = digestOf(request.publicKey)
  if (key === null) return Promise.resolve({ refused: 'The key is not an Ed25519 key.' })
  return inTransaction(db, async (transaction) => {
    const now = clock.now()
    const redeemed = await transaction
      .deleteFrom('agent_tokens')
      .where('digest', 'in', keyedDigestsOf(secretKey, request.token))
      .where('expires_at', '>', now)
      .returning(['kind', 'slug'])
      .executeTakeFirst()
    if (!redeemed) return { refused: 'The token is unknown, used or expired: staff make a new one.' }
    const known = await transaction.selectFrom('agents').select('id').where('key_digest', '=', key).executeTakeFirst()
    if (known) return { refused: 'This key was enrolled before: make a new one.' }
    await revokeAccepted(transaction, SYSTEM, redeemed, now)
    const { id } = await transaction
      .insertInto('agents')
      .values({ ...redeemed, key_digest: key, enrolled_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAgentEvent(transaction, SYSTEM, 'agent.enrolled', id, { ...redeemed, key })
    const certificate = await issueCertificate(await readAuthority(transaction, secretKey), 'agent', request.publicKey)
    return { certificate, role: redeemed.kind, slug: redeemed.slug }
  })
}

function digestOf(publicKey: string): string | null {
  try {
    return keyDigest(publicKey)
  } catch {
    return null
  }
}
