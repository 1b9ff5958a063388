/** Finds the accounts whose routers carried traffic, with or without a usage period. */
import { sql } from 'kysely'
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

/**
 * Returns which of these accounts, or of all with null, have slots that begin in the interval. For all of them it goes
 * from account to account in the index: reading every slot of a month would take minutes.
 */
export async function accountsWithTraffic(
  db: Db,
  accounts: readonly AccountId[] | null,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<AccountId[]> {
  const candidates =
    accounts === null
      ? sql`
        with recursive known(account_id) as (
          select min(account_id) from router_slots
          union all
          select (select min(account_id) from router_slots where account_id > known.account_id)
            from known where account_id is not null)
        select account_id from known where account_id is not null`
      : sql`select unnest(${accounts}::int[]) as account_id`
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from (${candidates}) candidate where exists (
      select from router_slots where account_id = candidate.account_id and slot >= ${from} and slot < ${to})`.execute(
    db,
  )
  return rows.map((row) => row.account_id)
}
