/** The operator's policy for approvals, as the database keeps it. */
import type { Db } from '../../platform/db/index.ts'
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
