/** The history of a customer's sessions, by keyset. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { SessionEvent } from '../contract.ts'

export async function readSessionEvents(
  db: Db,
  accountId: AccountId,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<{ events: SessionEvent[]; next: number | null }> {
  const rows = await db
    .selectFrom('transit_session_events as event')
    .innerJoin('transit_connections as connection', 'connection.id', 'event.connection_id')
    .selectAll('event')
    .where('connection.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('event.id', '<', before!))
    .orderBy('event.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, (row) => row.id)
  return {
    events: shown.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      family: row.family,
      from: row.from_state,
      to: row.to_state,
      error: row.error,
    })),
    next,
  }
}
