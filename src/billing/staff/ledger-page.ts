/** A customer's ledger account: each posting with the balance after it. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import '../tables.ts'

interface PostedTransaction {
  readonly id: number
  readonly at: Date
  readonly source: string
  readonly amount: number
  readonly balance: number
}

/** The balance runs over all postings, whatever the page shows: a customer has some hundreds of them. */
export async function ledgerPage(
  db: Db,
  accountId: AccountId,
  { before, limit }: { before?: number | undefined; limit: number },
) {
  const { rows } = await sql<PostedTransaction>`
    select * from (
      select booked.id, at, source, receivable.amount, sum(receivable.amount) over (order by booked.id)::bigint as balance
      from ledger_transactions booked cross join lateral (
        select coalesce(sum(amount) filter (where account = 'receivable'), 0)::bigint as amount
        from ledger_entries where transaction_id = booked.id
      ) receivable
      where account_id = ${accountId}
    ) as run
    where id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by id desc limit ${limit + 1}`.execute(db)
  const { shown, next } = pageOf(rows, limit, (row) => row.id)
  const entries = Map.groupBy(await entriesOf(db, shown), (entry) => entry.transaction_id)
  return {
    transactions: shown.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      entries: (entries.get(row.id) ?? []).map(({ account, amount, invoice_id, line }) => ({
        account,
        amount,
        invoiceId: invoice_id,
        line,
      })),
    })),
    next,
  }
}

async function entriesOf(db: Db, page: readonly PostedTransaction[]) {
  if (page.length === 0) return []
  const ids = page.map((row) => row.id)
  return db.selectFrom('ledger_entries').selectAll().where('transaction_id', 'in', ids).orderBy('id').execute()
}
