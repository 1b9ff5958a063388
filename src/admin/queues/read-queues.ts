import { sql } from 'kysely'
import type { Reply } from '../../kernel/endpoint.ts'
import { formatMoney } from '../../kernel/money.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { QueueEntry, QueuesApi } from './contract.ts'
import { QUEUE_COUNT_CAP, QUEUES, type QueueName } from './names.ts'
import { sourcesAt } from './sources.ts'

/** Counts all queues in one statement. */
export async function countQueues(db: Db, now: Date): Promise<Reply<QueuesApi['GET /api/admin/queues']>> {
  const sources = sourcesAt(now)
  const counts = QUEUES.map((name) => {
    const { at, rows } = sources[name]
    return sql`select ${sql.lit(name)} as queue, count(*)::int as count, min(at) as oldest
      from (select ${at} as at ${rows} limit ${sql.lit(QUEUE_COUNT_CAP)}) waiting`
  })
  const { rows } = await sql<{ queue: QueueName; count: number; oldest: Date | null }>`${sql.join(
    counts,
    sql` union all `,
  )}`.execute(db)
  const byName = new Map(rows.map((row) => [row.queue, row]))
  return QUEUES.map((queue) => {
    const { count, oldest } = byName.get(queue)!
    return { queue, count, capped: count >= QUEUE_COUNT_CAP, oldestAt: oldest?.toISOString() ?? null }
  })
}

interface Row {
  readonly id: number
  readonly at: Date
  readonly title: string
  readonly detail: string | null
  readonly user_id: number | null
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

/** Lists the items, newest first, with ids below `before`. */
export async function readQueue(
  db: Db,
  name: QueueName,
  page: { readonly before?: number | undefined; readonly limit: number },
  now: Date,
): Promise<{ entries: QueueEntry[]; next: number | null }> {
  const { id, at, title, detail, accountId, userId, rows: from } = sourcesAt(now)[name]
  const { rows } = await sql<Row>`
    select waiting.*, users.id as user_id, users.email, users.first_name, users.last_name from (
      select ${id} as id, ${at} as at, ${title} as title, ${detail} as detail, ${accountId} as account_id, ${userId} as of_user ${from}
        ${page.before === undefined ? sql`` : sql`and ${id} < ${page.before}`}
      order by ${id} desc limit ${page.limit + 1}
    ) waiting left join users on users.id = coalesce(waiting.of_user, (select owner.id from users owner where owner.account_id = waiting.account_id))
    order by waiting.id desc`.execute(db)
  const { shown, next } = pageOf(rows, page.limit, (row) => row.id)
  return {
    entries: shown.map((row) => ({
      // An ASN has no id of its own; staff open it with the id of its user.
      id: name === 'asn_verifications' ? row.user_id! : row.id,
      at: row.at.toISOString(),
      title: row.title,
      detail: MONEY.has(name) ? readMoney(row.detail) : (row.detail ?? ''),
      user:
        row.user_id === null
          ? null
          : { id: row.user_id, email: row.email!, firstName: row.first_name!, lastName: row.last_name! },
    })),
    next,
  }
}

const MONEY = new Set<QueueName>(['invoices_overdue', 'payments_disputed'])

/** Formats an amount that the source returned as minor units and a currency. */
function readMoney(text: string | null): string {
  const [amount, currency] = (text ?? '').split(' ')
  return amount && currency ? formatMoney({ amount: Number(amount), currency }) : ''
}
