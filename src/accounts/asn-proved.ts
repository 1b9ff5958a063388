/** What a verified ASN rests on, as rows. */
import type { Db } from '../platform/db/index.ts'
import type { Holder, Proved } from './asn-doubt.ts'
import type { AsnDoubt, AsnProof } from './policy.ts'
import './tables.ts'

export interface Holding {
  readonly userId: number
  readonly email: string
  readonly asn: number
  readonly doubt: AsnDoubt | null
  readonly doubtedAt: Date | null
  readonly lapsesAt: Date | null
  readonly remindedAt: Date | null
  readonly silentSince: Date | null
}

export interface ProvedRow extends Proved {
  readonly id: number
  readonly userId: number
  readonly method: AsnProof
  readonly round: number
  readonly contradictedAt: Date | null
}

/** Null unless it is verified. With `lock` the holding is held until the transaction ends. */
export async function readProved(
  db: Db,
  userId: number,
  lock?: 'lock',
): Promise<{ holding: Holding; proofs: ProvedRow[] } | null> {
  const row = await db
    .selectFrom('asn_holdings')
    .innerJoin('users', 'users.id', 'asn_holdings.user_id')
    .selectAll('asn_holdings')
    .select('users.email')
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .$if(lock === 'lock', (query) => query.forUpdate('asn_holdings'))
    .executeTakeFirst()
  if (!row) return null
  const rows = await db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('asn', '=', row.asn)
    .where('verified_at', 'is not', null)
    .where('voided_at', 'is', null)
    .orderBy('id')
    .execute()
  const { user_id, email, asn, doubt, doubted_at, lapses_at, reminded_at, silent_since } = row
  return {
    holding: {
      userId: user_id,
      email,
      asn,
      doubt,
      doubtedAt: doubted_at,
      lapsesAt: lapses_at,
      remindedAt: reminded_at,
      silentSince: silent_since,
    },
    proofs: rows.map((proof) => ({
      id: proof.id,
      userId,
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
  proof: ProvedRow,
  noted: { checked_at: Date; contradicted_at: Date | null; finding?: string },
): Promise<unknown> =>
  db
    .updateTable('asn_verifications')
    .set({ ...noted, ...holderColumns(proof.holder), valid_until: proof.validUntil })
    .where('id', '=', proof.id)
    .execute()
