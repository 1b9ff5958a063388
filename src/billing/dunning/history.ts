/** Reads from the audit log how an account reached its dunning stage. */
import type { AccountId } from '../../kernel/ids.ts'
import { z } from 'zod'
import type { Db } from '../../platform/db/index.ts'
import '../../platform/tables.ts'
import '../tables.ts'

const SHOWN = ['dunning.stage_changed', 'dunning.paused', 'dunning.resumed', 'dunning.lifted'] as const
const MOST = 50

const dataShape = z.object({
  before: z.string().nullable().catch(null),
  after: z.string().nullable().catch(null),
  reason: z.string().nullable().catch(null),
})

export async function viewDunning(db: Db, accountId: AccountId, now: Date) {
  const row = await db.selectFrom('dunning').select('stage').where('account_id', '=', accountId).executeTakeFirst()
  const pause = await db
    .selectFrom('dunning_pauses')
    .leftJoin('users', 'users.id', 'dunning_pauses.created_by')
    .select(['until', 'reason', 'users.email as by', 'dunning_pauses.created_at'])
    .where('dunning_pauses.account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .where('until', '>', now)
    .executeTakeFirst()
  const events = await db
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.actor_id')
    .select(['audit_events.at', 'action', 'users.email as by', 'data'])
    .where('audit_events.account_id', '=', accountId)
    .where('action', 'in', SHOWN)
    .orderBy('audit_events.id', 'desc')
    .limit(MOST)
    .execute()
  return {
    stage: row?.stage ?? ('CURRENT' as const),
    pause: pause
      ? { until: pause.until.toISOString(), reason: pause.reason, by: pause.by, since: pause.created_at.toISOString() }
      : null,
    history: events.map(({ at, action, by, data }) => ({ at: at.toISOString(), action, by, ...dataShape.parse(data) })),
  }
}
