/** The ASN of an account: claimed by the customer, proved by a party that the registry trusts. */
import type { AccountId } from '../../kernel/ids.ts'
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
  /** Why no proof is valid any more, and when the verification lapses. */
  readonly risk: { readonly cause: AsnRisk; readonly since: Date; readonly lapsesAt: Date } | null
  /** The proof that the verification rests on, or else the last one that was requested. Null when there is none. */
  readonly verification: {
    readonly method: AsnProof
    readonly strength: 'low' | 'medium' | 'high'
    readonly state: 'sent' | 'expired' | 'verified'
    readonly sentAt: Date
    readonly verifiedAt: Date | null
    readonly validUntil: Date | null
  } | null
}

/** An ASN claimed by more accounts than this is being abused. */
const MOST_HOLDERS = 100

/** Returns the users who claimed this ASN; those with a verified claim come first. */
export async function holdersOf(db: Db, asn: number): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('asn_ownerships')
    .select('account_id')
    .where('asn', '=', asn)
    .orderBy('verified_at')
    .limit(MOST_HOLDERS)
    .execute()
  return rows.map((row) => row.account_id)
}

/** Returns null for an account without an ASN. */
export async function readAsnOwnership(db: Db, accountId: AccountId, now: Date): Promise<AsnOwnership | null> {
  const ownership = await db
    .selectFrom('asn_ownerships')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!ownership) return null
  const last = await db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('account_id', '=', accountId)
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

/** `vouched`: one member of staff vouched for it and no other proof counts. */
export type AsnTrust = 'proved' | 'vouched'

/** Returns how an account's ASN was verified; null if it is not verified. */
export async function asnTrustOf(db: Db, accountId: AccountId, now: Date): Promise<AsnTrust | null> {
  const ownership = await db
    .selectFrom('asn_ownerships')
    .select(['asn', 'verified_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!ownership?.verified_at) return null
  const proofs = await db
    .selectFrom('asn_verifications')
    .select(['method', 'valid_until'])
    .where('account_id', '=', accountId)
    .where('asn', '=', ownership.asn)
    .where('verified_at', 'is not', null)
    .where('voided_at', 'is', null)
    .execute()
  const current = proofs.filter(({ valid_until: until }) => until === null || until > now)
  // While a verification is at risk, its trust stays what it was.
  const counted = current.length > 0 ? current : proofs
  return counted.length > 0 && counted.every(({ method }) => method === 'staff') ? 'vouched' : 'proved'
}

/**
 * Records the ASN that the user claims. A different ASN than before drops the proof: open links stop working and
 * `verifiedAt` becomes null. The same ASN changes nothing. Run it in the transaction that suspends the prefixes of
 * the old ASN.
 *
 * Throws 422 on `asn` with the reason for a reserved ASN, and 409 for one that another account has proved, without
 * saying which account.
 */
export async function claimAsn(db: Db, actor: Actor, accountId: AccountId, asn: number): Promise<{ changed: boolean }> {
  const wrong = asnIssue(asn)
  if (wrong) throw invalid([wrong])
  const before = await db
    .selectFrom('asn_ownerships')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (before?.asn === asn) return { changed: false }
  const taken = await db
    .selectFrom('asn_ownerships')
    .select('account_id')
    .where('asn', '=', asn)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (taken) throw provedByAnother()

  await db
    .insertInto('asn_ownerships')
    .values({ account_id: accountId, asn, verified_at: null })
    .onConflict((conflicting) =>
      conflicting
        .column('account_id')
        .doUpdateSet({ asn, claimed_at: new Date(), verified_at: null, next_check_at: null, ...NOT_AT_RISK }),
    )
    .execute()
  // A completed proof of the old ASN is void too: an ASN that is claimed again must be proved again.
  await voidProofs(db, accountId, new Date())
  await recordAccountEvent(db, actor, accountId, 'asn.claimed', {
    before: before ? { asn: before.asn, verified: before.verified_at !== null } : null,
    after: { asn },
  })
  return { changed: true }
}

/** Returns null for an ASN that can be held. */
export function asnIssue(asn: number): FieldProblem | null {
  const reserved = reservedAsnReason(asn)
  return reserved === null ? null : { field: 'asn', message: `cannot be a customer's: ${reserved}` }
}

/** A different ASN or a new proof ends the risk to the old verification. */
const NOT_AT_RISK = {
  risk: null,
  at_risk_since: null,
  lapses_at: null,
  reminded_at: null,
  lapsed_at: null,
  silent_since: null,
  checked_at: null,
} as const

/**
 * Marks the ASN as verified and keeps the time of its first verification. Returns false if it is no longer claimed.
 * Throws 409 if another account proved it in the meantime.
 */
export async function markAsnVerified(db: Db, accountId: AccountId, asn: number, now: Date): Promise<boolean> {
  try {
    const verified = await db
      .updateTable('asn_ownerships')
      .set((eb) => ({ verified_at: eb.fn.coalesce('verified_at', eb.val(now)), next_check_at: now, ...NOT_AT_RISK }))
      .where('account_id', '=', accountId)
      .where('asn', '=', asn)
      .returning('asn')
      .executeTakeFirst()
    return verified !== undefined
  } catch (error) {
    throw violates(error, 'asn_ownerships_verified') ? provedByAnother() : error
  }
}

/** Ends the open proofs, all or those of one method: links in mailboxes stop working. */
export async function voidOpenLinks(db: Db, accountId: AccountId, method?: AsnProof): Promise<void> {
  let open = db
    .updateTable('asn_verifications')
    .set({ voided_at: new Date(), next_check_at: null })
    .where('account_id', '=', accountId)
    .where('verified_at', 'is', null)
    .where('voided_at', 'is', null)
  if (method) open = open.where('method', '=', method)
  await open.execute()
}

/** Voids all proofs, both completed and open. */
export const voidProofs = (db: Db, accountId: AccountId, now: Date): Promise<unknown> =>
  db
    .updateTable('asn_verifications')
    .set({ voided_at: now, next_check_at: null })
    .where('account_id', '=', accountId)
    .where('voided_at', 'is', null)
    .execute()

export const provedByAnother = (): Problem =>
  conflict('Another account has verified this ASN. If it is yours, contact support.', 'asn_taken')
