/** Lists the proof methods with their strength and the owner's progress. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { readUserAsn } from './verification-attempts.ts'
import { waitsForStaff } from '../asn-queue.ts'
import { remarkFor } from './remark-challenge.ts'
import type { AsnProofs } from '../contract.ts'
import type { AccountsDeps } from '../deps.ts'
import { ASN_PROOF_METHODS, ASN_PROOFS, type AsnProof } from '../policy.ts'
import '../tables.ts'

type MenuDeps = Pick<AccountsDeps, 'config' | 'secretKey' | 'clock' | 'peeringDb'>

export async function readAsnProofs(deps: MenuDeps, db: Db, accountId: AccountId): Promise<AsnProofs> {
  const { asn, verified_at } = await readUserAsn(db, accountId)
  const ownership = await db
    .selectFrom('asn_ownerships')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const attempts = asn === null ? new Map<AsnProof, Attempt>() : await readAttempts(db, accountId, asn)
  const now = deps.clock.now()
  return {
    asn,
    asnVerifiedAt: verified_at?.toISOString() ?? null,
    waitsForStaff: await waitsForStaff(db, accountId, now),
    risk: ownership?.risk
      ? { cause: ownership.risk, since: text(ownership.at_risk_since)!, lapsesAt: text(ownership.lapses_at)! }
      : null,
    lapsedAt: text(ownership?.lapsed_at),
    checkedAt: text(ownership?.checked_at),
    nextCheckAt: text(ownership?.next_check_at),
    silentSince: text(ownership?.silent_since),
    proofs: ASN_PROOF_METHODS.map((method) => {
      const attempt = attempts.get(method)
      // After the registry contradicts a remark, the former holder may have left it there. The next remark differs.
      const wanted = method === 'autnum_token' && asn !== null && attempt !== undefined && !attempt.contradicted_at
      return {
        method,
        ...ASN_PROOFS[method],
        ...(attempt?.verified_at ? { strength: attempt.strength } : {}),
        unavailable: whyNot(deps, method, asn),
        state: attempt ? stateOf(attempt, now) : ('none' as const),
        startedAt: text(attempt?.created_at),
        expiresAt: text(attempt?.link_expires_at),
        checkedAt: text(attempt?.checked_at),
        // All completed proofs are checked together, whatever their method.
        nextCheckAt: text(attempt?.verified_at ? ownership?.next_check_at : attempt?.next_check_at),
        verifiedAt: text(attempt?.verified_at),
        validUntil: text(attempt?.valid_until),
        contradictedAt: text(attempt?.contradicted_at),
        sentTo: attempt?.contact_email ?? null,
        result: attempt?.result ?? null,
        remark: wanted ? remarkFor(deps, { accountId, asn, round: attempt.round }) : null,
      }
    }),
  }
}

type Attempt = Awaited<ReturnType<typeof selectAttempts>>[number]

const selectAttempts = (db: Db, accountId: AccountId, asn: number) =>
  db
    .selectFrom('asn_verifications')
    .distinctOn('method')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('asn', '=', asn)
    .where('voided_at', 'is', null)
    .orderBy('method')
    .orderBy('id', 'desc')
    .execute()

/** Returns the newest attempt for each method. */
const readAttempts = async (db: Db, accountId: AccountId, asn: number): Promise<Map<AsnProof, Attempt>> =>
  new Map((await selectAttempts(db, accountId, asn)).map((attempt) => [attempt.method, attempt]))

function stateOf({ verified_at, valid_until, contradicted_at, link_expires_at }: Attempt, now: Date) {
  if (verified_at) return contradicted_at || (valid_until && valid_until <= now) ? 'lapsed' : 'verified'
  return link_expires_at && link_expires_at > now ? 'open' : 'expired'
}

function whyNot({ peeringDb }: MenuDeps, method: AsnProof, asn: number | null): string | null {
  if (method === 'registry_contact' || method === 'staff') return 'Staff begin with this one.'
  if (asn === null) return 'Enter your ASN first.'
  if (method === 'peeringdb' && !peeringDb) return 'Signing in with PeeringDB is not set up here.'
  return null
}

const text = (time: Date | null | undefined): string | null => time?.toISOString() ?? null
