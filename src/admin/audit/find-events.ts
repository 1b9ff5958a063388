import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { AuditFilter, StaffAuditEvent } from './contract.ts'
import { searchCondition } from './search-events.ts'

/** Returns events, newest first, with ids below `before`. Every page costs the same, however deep it is. */
export async function findEvents(
  db: Db,
  filter: AuditFilter,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<{ events: StaffAuditEvent[]; next: number | null }> {
  const { actor, user, action, subjectType, subjectId, from, to } = filter
  let query = db
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.actor_id')
    .leftJoin('users as affected', 'affected.account_id', 'audit_events.account_id')
    .selectAll('audit_events')
    .select(['users.email', 'users.first_name', 'users.last_name'])
    .select([
      'affected.id as affected_id',
      'affected.first_name as affected_first_name',
      'affected.last_name as affected_last_name',
    ])
  if (actor !== undefined) query = query.where('actor_id', '=', actor as UserId)
  if (user !== undefined)
    query = query.where('audit_events.account_id', '=', (eb) =>
      eb
        .selectFrom('users as wanted')
        .select('wanted.account_id')
        .where('wanted.id', '=', user as UserId),
    )
  if (action !== undefined) query = query.where('action', '=', action)
  if (subjectType !== undefined) query = query.where('subject_type', '=', subjectType)
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId)
  if (from !== undefined) query = query.where('at', '>=', new Date(from)).where(isAfter(new Date(from)))
  if (to !== undefined) query = query.where('at', '<', new Date(to)).where(isBefore(new Date(to)))
  if (filter.search !== undefined) query = query.where(await searchCondition(db, filter.search))
  if (page.before !== undefined) query = query.where('audit_events.id', '<', page.before)
  const rows = await query
    .orderBy('audit_events.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, page.limit, (row) => row.id)
  return {
    events: shown.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor: { kind: row.actor_kind, id: row.actor_id, email: row.email, name: nameOf(row.first_name, row.last_name) },
      action: row.action,
      subject: { type: row.subject_type, id: row.subject_id },
      userId: row.affected_id,
      userName: nameOf(row.affected_first_name, row.affected_last_name),
      ip: row.ip,
      requestId: row.request_id,
      data: row.data as Record<string, unknown>,
    })),
    next,
  }
}

const nameOf = (first: string | null, last: string | null): string | null =>
  first === null && last === null ? null : `${first ?? ''} ${last ?? ''}`.trim()

/**
 * Longer than any transaction lives. An event carries the time at which its transaction began, and its id is assigned
 * later.
 */
const LONGEST = sql`interval '1 hour'`

/**
 * Converts times to slightly wider id bounds. Events are read in id order; without the bounds, a search in a month of
 * last year would scan everything since.
 */
const isBefore = (moment: Date) => sql<boolean>`audit_events.id < coalesce(
  (select id from audit_events where at >= ${moment}::timestamptz + ${LONGEST} order by at, id limit 1),
  9223372036854775807)`
const isAfter = (moment: Date) => sql<boolean>`audit_events.id > coalesce(
  (select id from audit_events where at < ${moment}::timestamptz - ${LONGEST} order by at desc, id desc limit 1), 0)`
