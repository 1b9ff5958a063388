/** The operator's approval policy in the database. */
import type { ParsedInput } from '../../kernel/endpoint.ts'
import { conflict } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { PrefixPolicy, TransitApi } from '../contract.ts'
import type { Policy } from './policy.ts'
import '../tables.ts'

export async function readPolicy(db: Db): Promise<Policy> {
  const row = await db.selectFrom('prefix_policy').selectAll().executeTakeFirstOrThrow()
  const rules = await db.selectFrom('prefix_policy_rules').selectAll().orderBy('position').execute()
  return {
    version: row.version,
    automatic: row.automatic,
    twoPerson: row.two_person,
    establishedDays: row.established_days,
    checkAgeMinutes: row.check_age_minutes,
    openRequests: row.open_requests,
    requestsPerHour: row.requests_per_hour,
    prefixesPerAccount: row.prefixes_per_account,
    shortest4: row.shortest4,
    shortest6: row.shortest6,
    rules: rules.map(({ name, family, shorter_than, evidence, people, reason }) => ({
      name,
      family,
      shorterThan: shorter_than,
      evidence,
      people,
      reason,
    })),
  }
}

export async function viewPolicy(db: Db): Promise<PrefixPolicy> {
  const { changed_at, email } = await db
    .selectFrom('prefix_policy as policy')
    .leftJoin('users', 'users.id', 'policy.changed_by')
    .select(['policy.changed_at', 'users.email'])
    .executeTakeFirstOrThrow()
  const policy = await readPolicy(db)
  return {
    ...policy,
    rules: [...policy.rules],
    changedBy: email,
    changedAt: changed_at?.toISOString() ?? null,
  }
}

type Replacement = ParsedInput<TransitApi['PUT /api/admin/prefix_policy']>['body']

/** Approvals store the policy version that they were given under. The audit log keeps older versions in full. */
export async function replacePolicy(db: Db, actor: Actor, policy: Replacement, at: Date): Promise<void> {
  const { version } = await db.selectFrom('prefix_policy').select('version').forUpdate().executeTakeFirstOrThrow()
  if (version !== policy.version) {
    throw conflict(`Someone else changed the policy. It is now version ${version}. Reload the page.`)
  }
  const before = await readPolicy(db)
  await db
    .updateTable('prefix_policy')
    .set({
      automatic: policy.automatic,
      two_person: policy.twoPerson,
      established_days: policy.establishedDays,
      check_age_minutes: policy.checkAgeMinutes,
      open_requests: policy.openRequests,
      requests_per_hour: policy.requestsPerHour,
      prefixes_per_account: policy.prefixesPerAccount,
      shortest4: policy.shortest4,
      shortest6: policy.shortest6,
      version: version + 1,
      changed_by: actor.userId,
      changed_at: at,
    })
    .execute()
  await db.deleteFrom('prefix_policy_rules').execute()
  await db
    .insertInto('prefix_policy_rules')
    .values(
      policy.rules.map(({ shorterThan: shorter_than, ...rule }, index) => ({
        position: index + 1,
        shorter_than,
        ...rule,
      })),
    )
    .execute()
  await audit(db, actor, {
    action: 'prefix_policy.changed',
    subject: { type: 'prefix_policy', id: null },
    accountId: null,
    data: { before, after: { ...policy, version: version + 1 } },
  })
}
