/** Returns everything known about one router, for its owner and for staff. */
import { notFound } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { answers } from './hypervisors/answers.ts'
import type { AdminRouter, RouterDetail } from './contract.ts'
import type { RoutersDeps } from './deps.ts'
import { latestMetrics } from './metrics/series.ts'
import { findRouter, type RouterRow } from './queries.ts'
import { viewRouter } from './view.ts'

const EVENTS_SHOWN = 50

type ViewDeps = Pick<RoutersDeps, 'contributions' | 'config'>

export async function viewDetail(db: Db, row: RouterRow, { contributions, config }: ViewDeps): Promise<RouterDetail> {
  return {
    ...viewRouter(row),
    sessions: await contributions.sessions(db, row.id),
    metrics: await latestMetrics(db, row),
    configuration: {
      current: row.config_digest !== null && row.config_error === null,
      appliedAt: row.config_at?.toISOString() ?? null,
      error: row.config_error,
      ownFilesError: row.own_files_error,
    },
    needsRestart: row.needs_restart,
    deletionGrace: Math.floor(config.DELETE_GRACE / 1000),
  }
}

export async function viewForStaff(db: Db, id: number, deps: ViewDeps): Promise<AdminRouter> {
  const row = await findRouter(db, id)
  if (!row) throw notFound()
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const hypervisor = await db
    .selectFrom('hypervisors')
    .select(['id', 'name', 'driver', answers.as('connected')])
    .where('id', '=', row.hypervisor_id)
    .executeTakeFirstOrThrow()
  return {
    ...(await viewDetail(db, row, deps)),
    user: { id: user.id, email: user.email, firstName: user.first_name, lastName: user.last_name },
    hypervisor,
    events: await readEvents(db, id),
    desiredState: row.desired_state,
    observed: row.observed,
    failureDetail: row.failure_detail,
    attempts: row.failures,
    retryAt: row.retry_at?.toISOString() ?? null,
  }
}

async function readEvents(db: Db, id: number): Promise<AdminRouter['events']> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('subject_type', '=', 'router')
    .where('subject_id', '=', id)
    .orderBy('id', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
  return rows.map((event) => ({
    id: event.id,
    at: event.at.toISOString(),
    action: event.action,
    by: event.actor_kind,
    actorId: event.actor_id,
    data: event.data as Record<string, unknown>,
  }))
}
