/** One attempt to prove an ASN by any method: its row, and what happens when it succeeds. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { provedByAnother } from './asn-ownership.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { recordAccountEvent } from '../events.ts'
import { sendAsnVerified } from '../emails/emails.ts'
import { ASN_PROOFS, type AsnProof } from '../policy.ts'
import '../tables.ts'

const DAY = 86_400_000

export type ProofDeps = Sender & Pick<AccountsDeps, 'clock'>

/** Writes the audit log, publishes the change event and sends the email. */
export async function publishVerified(
  deps: ProofDeps,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  asn: number,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAccountEvent(db, actor, accountId, 'asn.verified', { asn, ...data })
  const { id: userId, email } = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  await sendAsnVerified(db, deps, { email, userId }, asn)
}

export interface NewVerification {
  readonly account_id: AccountId
  readonly asn: number
  readonly contact_email: string | null
  readonly contact_source: string | null
  readonly requested_by: UserId | null
  readonly created_at: Date
  readonly link_expires_at: Date | null
  readonly verified_at: Date | null
  readonly next_check_at?: Date | null
  readonly result?: string | null
  readonly round?: number
}

export const insertVerification = (db: Db, method: AsnProof, row: NewVerification): Promise<{ id: number }> =>
  db
    .insertInto('asn_verifications')
    .values({
      ...row,
      method,
      strength: ASN_PROOFS[method].strength,
      voided_at: null,
      valid_until: row.verified_at && validUntil(method, row.verified_at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Returns when a proof made now must be checked again. */
export const validUntil = (method: AsnProof, from: Date): Date =>
  new Date(from.getTime() + ASN_PROOFS[method].validForDays * DAY)

/** Throws 409 if another account has verified the ASN, without saying which one. */
export async function requireNotVerifiedElsewhere(db: Db, asn: number, accountId: AccountId): Promise<void> {
  const proved = await db
    .selectFrom('asn_ownerships')
    .select('account_id')
    .where('asn', '=', asn)
    .where('account_id', '!=', accountId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (proved) throw provedByAnother()
}

/** Throws 404 for an unknown user. */
export async function readUserAsn(db: Db, accountId: AccountId) {
  const userAsn = await db
    .selectFrom('users')
    .leftJoin('asn_ownerships', 'asn_ownerships.account_id', 'users.account_id')
    .select(['users.id as userId', 'email', 'first_name', 'last_name', 'asn', 'verified_at'])
    .where('users.account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!userAsn) throw notFound()
  return userAsn
}
