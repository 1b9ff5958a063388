/** Finds the accounts whose routers carried traffic, with or without a usage period. */
import { sql } from 'kysely'
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

/** The accounts after an id, at most `limit` of them; without a limit all. */
interface Page {
  readonly after: number
  readonly limit?: number
}

/**
 * Returns which of these accounts have slots that begin in the interval. For a page of all accounts it goes from account
 * to account in the index: reading every slot of a month would take minutes.
 */
export async function accountsWithTraffic(
  db: Db,
  accounts: readonly AccountId[] | Page,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<AccountId[]> {
  const candidates =
    'after' in accounts
      ? sql`
        with recursive known(account_id) as (
          select min(account_id) from router_slots where account_id > ${accounts.after}
          union all
          select (select min(account_id) from router_slots where account_id > known.account_id)
            from known where account_id is not null)
        select account_id from known where account_id is not null`
      : sql`select unnest(${accounts}::int[]) as account_id`
  // A lateral join visits the candidates in their order and stops at the limit; ORDER BY would visit all of them.
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from (${candidates}) candidate cross join lateral (
      select from router_slots
        where account_id = candidate.account_id and slot >= ${from} and slot < ${to} limit 1) slot
    limit ${'after' in accounts ? (accounts.limit ?? null) : null}`.execute(db)
  return rows.map((row) => row.account_id)
}
