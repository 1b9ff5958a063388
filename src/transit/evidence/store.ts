/** Evidence and first approvals in the database. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { parsePrefix } from '../../kernel/prefix.ts'
import { isActiveStaff } from '../../accounts/index.ts'
import { hasRole } from '../../kernel/required-role.ts'
import type { Db } from '../../platform/db/index.ts'
import { isHeldByAnother } from '../prefixes/prefix-ownership.ts'
import { checkResultsOf, type PrefixRow } from '../prefix-row.ts'
import { assessApproval, type Approval } from './approval.ts'
import type { Evidence, EvidenceKind, Strength } from './evidence.ts'
import type { SpaceLoss } from '../states.ts'
import type { Policy } from './policy.ts'
import { readPolicy } from './policy-store.ts'
import '../tables.ts'

/** In the order of the kinds, strongest first. */
export async function readEvidence(db: Db, prefixId: number): Promise<Evidence[]> {
  return (await readEvidenceOf(db, [prefixId])).get(prefixId) ?? []
}

export async function readEvidenceOf(db: Db, prefixIds: readonly number[]): Promise<Map<number, Evidence[]>> {
  const rows = await db
    .selectFrom('prefix_evidence')
    .selectAll()
    .where((eb) => eb('prefix_id', '=', eb.fn.any(eb.val(prefixIds))))
    .orderBy('kind')
    .orderBy('source')
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.prefix_id)
  return new Map(
    [...grouped].map(([id, found]) => [
      id,
      found.map((row) => ({
        kind: row.kind,
        source: row.source,
        strength: row.strength,
        seen: row.seen,
        observedAt: row.observed_at,
        expiresAt: row.expires_at,
        nextCheckAt: row.next_check_at,
      })),
    ]),
  )
}

/** How often the addresses of each prefix have changed hands since it was requested, which is part of its token. */
export async function readRounds(db: Db, prefixIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('prefix_registrations')
    .select(['prefix_id', 'round'])
    .where((eb) => eb('prefix_id', '=', eb.fn.any(eb.val(prefixIds))))
    .execute()
  return new Map(rows.map(({ prefix_id, round }) => [prefix_id, round]))
}

/** Replaces all evidence of one kind. Evidence that is no longer given is deleted at once. */
export async function replaceEvidence(
  db: Db,
  prefixId: number,
  kind: EvidenceKind,
  found: readonly Evidence[],
): Promise<void> {
  await db
    .deleteFrom('prefix_evidence')
    .where('prefix_id', '=', prefixId)
    .where('kind', '=', kind)
    .where((eb) => eb.not(eb('source', '=', eb.fn.any(eb.val(found.map(({ source }) => source))))))
    .execute()
  for (const { source, strength, seen, observedAt, expiresAt, nextCheckAt } of found) {
    const values = { strength, seen, observed_at: observedAt, expires_at: expiresAt, next_check_at: nextCheckAt }
    await db
      .insertInto('prefix_evidence')
      .values({ prefix_id: prefixId, kind, source, ...values })
      .onConflict((conflict) => conflict.columns(['prefix_id', 'kind', 'source']).doUpdateSet(values))
      .execute()
  }
}

const restedOn = (strength: Strength) =>
  sql<boolean>`approval_basis @> ${JSON.stringify({ evidence: [{ strength }] })}::jsonb`

/**
 * Records that the holder withdrew what an approval rested on, or changed. Applies only to approvals that rested on
 * evidence: one that staff gave on their own reason lost nothing. The next check sees whether something else proves the
 * space.
 */
export async function loseSpace(db: Db, prefixId: number, how: SpaceLoss, at: Date): Promise<boolean> {
  const lost = await db
    .updateTable('transit_prefixes')
    .set({ space_lost: how })
    .where('id', '=', prefixId)
    .where('status', '=', 'APPROVED')
    .where((eb) => eb.or((['strong', 'medium'] as const).map(restedOn)))
    .executeTakeFirst()
  if (lost.numUpdatedRows === 0n) return false
  // The time for a new proof is short, so tokens are looked up now and as often as for a request.
  for (const table of ['prefix_registrations', 'prefix_reverse_dns'] as const)
    await db.updateTable(table).set({ next_check_at: at }).where('prefix_id', '=', prefixId).execute()
  return true
}

export interface FirstApproval {
  readonly staffId: UserId
  readonly email: string
  readonly reason: string
  readonly at: Date
}

export async function readFirstApprovals(db: Db, prefixId: number): Promise<FirstApproval[]> {
  const rows = await db
    .selectFrom('prefix_approvals as approval')
    .innerJoin('users', 'users.id', 'approval.staff_id')
    .select(['approval.staff_id', 'users.email', 'users.staff_roles', 'approval.reason', 'approval.created_at'])
    .where('approval.prefix_id', '=', prefixId)
    .where(isActiveStaff)
    .orderBy('approval.created_at')
    .execute()
  return rows.flatMap(({ staff_id: staffId, email, staff_roles: roles, reason, created_at: at }) =>
    // A first approval does not count if its giver lost the role.
    hasRole(roles, 'network') ? [{ staffId, email, reason, at }] : [],
  )
}

export interface AssessedApproval extends Approval {
  readonly evidence: readonly Evidence[]
  readonly given: readonly FirstApproval[]
  readonly policy: Policy
}

/** Reads everything that an approval depends on, and assesses it. */
export async function assess(db: Db, row: PrefixRow, now: Date): Promise<AssessedApproval> {
  const policy = await readPolicy(db)
  const evidence = await readEvidence(db, row.id)
  const given = await readFirstApprovals(db, row.id)
  const ownership = await db
    .selectFrom('asn_ownerships')
    .select('verified_at')
    .where('account_id', '=', row.account_id)
    .executeTakeFirst()
  const verifiedAt = ownership?.verified_at ?? null
  const approval = assessApproval(policy, {
    status: row.status,
    asnChanged: row.asn_changed,
    asnVerified: verifiedAt !== null,
    prefix: parsePrefix(row.value),
    checkResults: checkResultsOf(row),
    evidence,
    heldByAnother: await isHeldByAnother(db, row.account_id, parsePrefix(row.value)),
    established: verifiedAt !== null && (await isEstablished(db, row.account_id, { policy, verifiedAt, now })),
    now,
  })
  return { ...approval, evidence, given, policy }
}

async function isEstablished(
  db: Db,
  accountId: AccountId,
  { policy, verifiedAt, now }: { policy: Policy; verifiedAt: Date; now: Date },
): Promise<boolean> {
  if (now.getTime() - verifiedAt.getTime() < policy.establishedDays * 86_400_000) return false
  const approved = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'APPROVED')
    .limit(1)
    .executeTakeFirst()
  return approved !== undefined
}
