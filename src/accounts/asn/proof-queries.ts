/** Queries for the proofs of a verified ASN. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Holder, VerifiedProof } from './verification-expiry.ts'
import type { AsnRisk, AsnProof } from '../policy.ts'
import '../tables.ts'

export interface VerifiedAsn {
  readonly accountId: AccountId
  /** The user who is emailed about it. */
  readonly userId: UserId
  readonly email: string
  readonly asn: number
  readonly risk: AsnRisk | null
  readonly atRiskSince: Date | null
  readonly lapsesAt: Date | null
  readonly remindedAt: Date | null
  readonly silentSince: Date | null
}

export interface ProofRow extends VerifiedProof {
  readonly id: number
  readonly accountId: AccountId
  readonly method: AsnProof
  readonly round: number
  readonly contradictedAt: Date | null
}

/** Returns null unless the ASN is verified. With `lock` its row stays locked until the transaction ends. */
export async function readVerifiedAsn(
  db: Db,
  accountId: AccountId,
  lock?: 'lock',
): Promise<{ verifiedAsn: VerifiedAsn; proofs: ProofRow[] } | null> {
  const row = await db
    .selectFrom('asn_ownerships')
    .innerJoin('users', 'users.account_id', 'asn_ownerships.account_id')
    .selectAll('asn_ownerships')
    .select(['users.id as userId', 'users.email'])
    .where('asn_ownerships.account_id', '=', accountId)
    .where('verified_at', 'is not', null)
    .$if(lock === 'lock', (query) => query.forUpdate('asn_ownerships'))
    .executeTakeFirst()
  if (!row) return null
  const rows = await db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('asn', '=', row.asn)
    .where('verified_at', 'is not', null)
    .where('voided_at', 'is', null)
    .orderBy('id')
    .execute()
  const { userId, email, asn, risk, at_risk_since, lapses_at, reminded_at, silent_since } = row
  return {
    verifiedAsn: {
      accountId,
      userId,
      email,
      asn,
      risk,
      atRiskSince: at_risk_since,
      lapsesAt: lapses_at,
      remindedAt: reminded_at,
      silentSince: silent_since,
    },
    proofs: rows.map((proof) => ({
      id: proof.id,
      accountId,
      method: proof.method,
      round: proof.round,
      validUntil: proof.valid_until!,
      contradictedAt: proof.contradicted_at,
      holder: proof.holder_handles && { handles: proof.holder_handles, name: proof.holder_name },
    })),
  }
}

export const holderColumns = (holder: Holder | null) => ({
  holder_handles: holder && [...holder.handles],
  holder_name: holder?.name ?? null,
})

export const updateProof = (
  db: Db,
  proof: ProofRow,
  recorded: { checked_at: Date; contradicted_at: Date | null; result?: string },
): Promise<unknown> =>
  db
    .updateTable('asn_verifications')
    .set({ ...recorded, ...holderColumns(proof.holder), valid_until: proof.validUntil })
    .where('id', '=', proof.id)
    .execute()
