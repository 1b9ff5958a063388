/** The audit log as shown to the owner of an account: actions of the owner, of staff, and of the system. */
import type { AccountId } from '../kernel/ids.ts'
import type { Db } from '../platform/db/index.ts'
import { pageOf } from '../platform/page-of.ts'
import type { AuditEvent } from './contract.ts'

type Data = Readonly<Record<string, unknown>>

/** Actions whose reason is shown to the customer. All other reasons are notes among staff. */
const SHOWN_WITH_REASON =
  /^(?:(?:prefix|impersonation)\.|account\.suspended$|router\.(?:action_requested|protection_changed)$)/

function withoutReason(action: string, data: Data): Data {
  if (SHOWN_WITH_REASON.test(action)) return data
  const { reason: _, identityCheck: __, ...rest } = data
  return rest
}

export async function readAuditLog(
  db: Db,
  accountId: AccountId,
  page: { before?: number | undefined; limit: number },
): Promise<{ events: AuditEvent[]; next: number | null }> {
  let query = db.selectFrom('audit_events').selectAll().where('account_id', '=', accountId)
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
      // Customers do not see the IP addresses of staff.
      ip: row.actor_kind === 'staff' ? null : row.ip,
      data: row.actor_kind === 'staff' ? withoutReason(row.action, row.data as Data) : (row.data as Data),
    })),
    next,
  }
}
