/** Which ASN is a customer's: claimed by their word, proved by somebody whom the registry trusts. */
import { reservedAsnReason } from '../../kernel/asn.ts'
import { conflict, invalid, type FieldProblem, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { violates } from '../../platform/db/constraint.ts'
import { recordAccountEvent } from '../events.ts'
import type { AsnRisk, AsnProof } from '../policy.ts'
import '../tables.ts'

export interface AsnOwnership {
  readonly asn: number
  readonly claimedAt: Date
  readonly verifiedAt: Date | null
  /** Why nothing that was proved holds any more, and when the verification is taken back. */
  readonly risk: { readonly cause: AsnRisk; readonly since: Date; readonly lapsesAt: Date } | null
  /** The proof that it rests on, else the last that was asked for; null when none was. */
  readonly verification: {
    readonly method: AsnProof
    readonly strength: 'low' | 'medium' | 'high'
    readonly state: 'sent' | 'expired' | 'verified'
    readonly sentAt: Date
    readonly verifiedAt: Date | null
    readonly validUntil: Date | null
  } | null
}

/** A number that more have claimed than this is being played with. */
const MOST_HOLDERS = 100

/** Who has claimed this ASN, proved or not; those who proved it first. */
export async function holdersOf(db: Db, asn: number): Promise<number[]> {
  const rows = await db
    .selectFrom('asn_ownerships')
    .select('user_id')
    .where('asn', '=', asn)
    .orderBy('verified_at')
    .limit(MOST_HOLDERS)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Null for a user who has not named an ASN. */
export async function readAsnOwnership(db: Db, userId: number, now: Date): Promise<AsnOwnership | null> {
  const ownership = await db.selectFrom('asn_ownerships').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!ownership) return null
  const last = await db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('asn', '=', ownership.asn)
    .where('voided_at', 'is', null)
    .orderBy((eb) => eb('verified_at', 'is', null))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    asn: ownership.asn,
    claimedAt: ownership.claimed_at,
    verifiedAt: ownership.verified_at,
    risk: ownership.risk
      ? { cause: ownership.risk, since: ownership.at_risk_since!, lapsesAt: ownership.lapses_at! }
      : null,
    verification: last
      ? {
          method: last.method,
          strength: last.strength,
          state: last.verified_at ? 'verified' : last.link_expires_at! > now ? 'sent' : 'expired',
          sentAt: last.created_at,
          verifiedAt: last.verified_at,
          validUntil: last.valid_until,
        }
      : null,
  }
}

/** `vouched`: by the word of one member of staff, with no other proof that counts. */
export type AsnTrust = 'proved' | 'vouched'

/** How an account's ASN came to be verified; null where it is not. */
export async function asnTrustOf(db: Db, userId: number, now: Date): Promise<AsnTrust | null> {
  const ownership = await db
    .selectFrom('asn_ownerships')
    .select(['asn', 'verified_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!ownership?.verified_at) return null
  const proofs = await db
    .selectFrom('asn_verifications')
    .select(['method', 'valid_until'])
    .where('user_id', '=', userId)
    .where('asn', '=', ownership.asn)
    .where('verified_at', 'is not', null)
    .where('voided_at', 'is', null)
    .execute()
  const current = proofs.filter(({ valid_until: until }) => until === null || until > now)
  // While a verification is at risk, what it was lasts.
  const counted = current.length > 0 ? current : proofs
  return counted.length > 0 && counted.every(({ method }) => method === 'staff') ? 'vouched' : 'proved'
}

/**
 * Records that the user says the ASN is theirs. Another number than before takes the proof away: links that are still
 * open die and `verifiedAt` is null again; the same number changes nothing. Run it in the transaction that suspends what
 * rests on the old number.
 *
 * Throws 422 on `asn` with the reason for a number that nobody can hold, and 409 for one that another account has
 * proved, without saying whose.
 */
export async function claimAsn(db: Db, actor: Actor, userId: number, asn: number): Promise<{ changed: boolean }> {
  const wrong = asnIssue(asn)
  if (wrong) throw invalid([wrong])
  const before = await db
    .selectFrom('asn_ownerships')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (before?.asn === asn) return { changed: false }
  const taken = await db
    .selectFrom('asn_ownerships')
    .select('user_id')
    .where('asn', '=', asn)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (taken) throw provedByAnother()

  await db
    .insertInto('asn_ownerships')
    .values({ user_id: userId, asn, verified_at: null })
    .onConflict((conflicting) =>
      conflicting
        .column('user_id')
        .doUpdateSet({ asn, claimed_at: new Date(), verified_at: null, next_check_at: null, ...NOT_AT_RISK }),
    )
    .execute()
  // A proof of the old number that is done is void as well: claimed again, the number is to be proved again.
  await voidProofs(db, userId, new Date())
  await recordAccountEvent(db, actor, userId, 'asn.claimed', {
    before: before ? { asn: before.asn, verified: before.verified_at !== null } : null,
    after: { asn },
  })
  return { changed: true }
}

/** Null for a number that somebody can hold. */
export function asnIssue(asn: number): FieldProblem | null {
  const reserved = reservedAsnReason(asn)
  return reserved === null ? null : { field: 'asn', message: `cannot be a customer's: ${reserved}` }
}

/** Another number, or a fresh proof: what was doubted of the old one is over. */
const NOT_AT_RISK = {
  risk: null,
  at_risk_since: null,
  lapses_at: null,
  reminded_at: null,
  lapsed_at: null,
  silent_since: null,
  checked_at: null,
} as const

/** Notes that the number is proved, since when it first was; false when it is no longer claimed. Throws 409 when another account proved it meanwhile. */
export async function markAsnVerified(db: Db, userId: number, asn: number, now: Date): Promise<boolean> {
  try {
    const verified = await db
      .updateTable('asn_ownerships')
      .set((eb) => ({ verified_at: eb.fn.coalesce('verified_at', eb.val(now)), next_check_at: now, ...NOT_AT_RISK }))
      .where('user_id', '=', userId)
      .where('asn', '=', asn)
      .returning('asn')
      .executeTakeFirst()
    return verified !== undefined
  } catch (error) {
    throw violates(error, 'asn_ownerships_verified') ? provedByAnother() : error
  }
}

/** Proofs that are still open end, all or those of one method: links in mailboxes stop working. */
export async function voidOpenLinks(db: Db, userId: number, method?: AsnProof): Promise<void> {
  let open = db
    .updateTable('asn_verifications')
    .set({ voided_at: new Date(), next_check_at: null })
    .where('user_id', '=', userId)
    .where('verified_at', 'is', null)
    .where('voided_at', 'is', null)
  if (method) open = open.where('method', '=', method)
  await open.execute()
}

/** Whatever was proved or was to be: it counts for nothing any more. */
export const voidProofs = (db: Db, userId: number, now: Date): Promise<unknown> =>
  db
    .updateTable('asn_verifications')
    .set({ voided_at: now, next_check_at: null })
    .where('user_id', '=', userId)
    .where('voided_at', 'is', null)
    .execute()

export const provedByAnother = (): Problem =>
  conflict('Another account has verified this ASN. If it is yours, contact support.', 'asn_taken')
