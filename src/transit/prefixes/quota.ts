/** How many prefixes, and how many undecided requests, an account may have: by the policy, or as staff set it for this account. */
import { userOf } from '../../accounts/index.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { ParsedInput } from '../../kernel/endpoint.ts'
import { Problem } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { AdminPrefixQuota, PrefixQuota, TransitApi } from '../contract.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import type { Policy } from '../evidence/policy.ts'
import { readPolicy } from '../evidence/policy-store.ts'
import '../tables.ts'

export async function readQuota(db: Db, accountId: AccountId, policy: Policy): Promise<PrefixQuota> {
  const own = await db.selectFrom('prefix_quotas').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const { existing, open } = await db
    .selectFrom('transit_prefixes')
    .select([
      (eb) => eb.fn.countAll<number>().as('existing'),
      sql<number>`count(*) filter (where status in ('PENDING', 'NEEDS_ACTION') and not proven)`.as('open'),
    ])
    .where('account_id', '=', accountId)
    .where('status', 'in', OCCUPYING_STATUSES)
    .executeTakeFirstOrThrow()
  return {
    prefixes: { used: existing, limit: own?.prefixes ?? policy.prefixesPerAccount },
    openRequests: { used: open, limit: own?.open_requests ?? policy.openRequests },
    requestsPerHour: policy.requestsPerHour,
  }
}

/** Returns why one more is refused; null when it is not. */
export function quotaProblem({
  prefixes,
  openRequests,
}: Pick<PrefixQuota, 'prefixes' | 'openRequests'>): string | null {
  if (prefixes.used >= prefixes.limit)
    return `quota of ${prefixes.limit} prefixes reached; withdraw one, or ask support to raise the quota`
  if (openRequests.used < openRequests.limit) return null
  return `limit of ${openRequests.limit} open requests reached; withdraw one, or wait until one is decided`
}

/** Throws 422 `limit_reached`. The caller holds the lock on space, so two requests cannot both be the last. */
export async function requireBelowQuota(db: Db, accountId: AccountId, policy: Policy): Promise<void> {
  const problem = quotaProblem(await readQuota(db, accountId, policy))
  if (problem === null) return
  throw new Problem(422, `value: ${problem}`, {
    code: 'limit_reached',
    errors: [{ field: 'value', message: problem }],
  })
}

export async function viewQuotaForStaff(db: Db, accountId: AccountId): Promise<AdminPrefixQuota> {
  const policy = await readPolicy(db)
  const own = await db
    .selectFrom('prefix_quotas as quota')
    .leftJoin('users', 'users.id', 'quota.changed_by')
    .select(['quota.prefixes', 'quota.open_requests', 'quota.reason', 'quota.changed_at', 'users.email'])
    .where('quota.account_id', '=', accountId)
    .executeTakeFirst()
  return {
    ...(await readQuota(db, accountId, policy)),
    defaults: { prefixes: policy.prefixesPerAccount, openRequests: policy.openRequests },
    own: own
      ? {
          prefixes: own.prefixes,
          openRequests: own.open_requests,
          reason: own.reason,
          changedBy: own.email,
          changedAt: own.changed_at.toISOString(),
        }
      : null,
  }
}

type Change = ParsedInput<TransitApi['PUT /api/admin/users/{id}/prefix_quota']>['body']

/** A quota below what the account already has removes nothing: it only refuses new requests. */
export async function changeQuota(db: Db, actor: Actor, accountId: AccountId, change: Change, at: Date): Promise<void> {
  const before = await viewQuotaForStaff(db, accountId)
  const values = {
    prefixes: change.prefixes,
    open_requests: change.openRequests,
    reason: change.reason,
    changed_by: actor.userId,
    changed_at: at,
  }
  await db
    .insertInto('prefix_quotas')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
  const userId = await userOf(db, accountId)
  await audit(db, actor, {
    action: 'prefix_quota.changed',
    subject: { type: 'user', id: userId },
    accountId,
    data: {
      before: { prefixes: before.prefixes.limit, openRequests: before.openRequests.limit },
      after: {
        prefixes: change.prefixes ?? before.defaults.prefixes,
        openRequests: change.openRequests ?? before.defaults.openRequests,
      },
      reason: change.reason,
    },
  })
  await publish(db, { type: 'user', id: userId, accountId })
}
