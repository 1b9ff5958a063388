/** What happened in an account, for its owner: what they did, what staff did to it, what the system did by itself. */
import type { Db } from '../platform/db/index.ts'
import { pageOf } from '../platform/page-of.ts'
import type { AuditEvent } from './contract.ts'

export async function readTrail(
  db: Db,
  userId: number,
  page: { before?: number | undefined; limit: number },
): Promise<{ events: AuditEvent[]; next: number | null }> {
  let query = db.selectFrom('audit_events').selectAll().where('user_id', '=', userId)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, page.limit, (row) => row.id)
  return {
    events: shown.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      action: row.action,
      by: row.actor_kind === 'user' ? 'you' : row.actor_kind,
      subject: { type: row.subject_type, id: row.subject_id },
      // Where staff sit is no business of a customer's.
      ip: row.actor_kind === 'staff' ? null : row.ip,
      data: row.data as Record<string, unknown>,
    })),
    next,
  }
}
