/**
 * The ledger: append-only double entry in integer minor units, debits positive and credits negative. The database
 * rejects unbalanced, changed and duplicate postings; this file only writes and reads.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import type { LedgerAccount } from '../tables.ts'

export interface Posting {
  readonly account: LedgerAccount
  readonly amount: number
  /** The invoice whose debt it changes, or whose line it came from. */
  readonly invoiceId: number
  readonly line?: number
}

export interface PostingGroup {
  /** The unique name of what is posted: one source is posted only once, ever. */
  readonly source: string
  readonly accountId: AccountId
  readonly currency: string
  readonly at: Date
  readonly postings: readonly Posting[]
}

/** Writes what is not posted yet and returns the new sources. Zero postings are left out. */
export async function postToLedger(db: Db, postingGroups: readonly PostingGroup[]): Promise<Set<string>> {
  if (postingGroups.length === 0) return new Set()
  const heads = postingGroups.map(({ source, accountId, currency, at }) => ({
    source,
    account_id: accountId,
    currency,
    at,
  }))
  const entries = postingGroups.flatMap(({ source, postings }) =>
    postings
      .filter((posting) => posting.amount !== 0)
      .map(({ account, amount, invoiceId, line }) => ({
        source,
        account,
        amount,
        invoice_id: invoiceId,
        line: line ?? null,
      })),
  )
  const written = await sql<{ source: string }>`
    with booked as (
      insert into ledger_transactions (source, account_id, currency, at)
      select source, account_id, currency, at
      from json_to_recordset(${JSON.stringify(heads)}::json)
        as head(source text, account_id int, currency text, at timestamptz)
      on conflict (source) do nothing
      returning id, source
    ), written as (
      insert into ledger_entries (transaction_id, account, amount, invoice_id, line)
      select booked.id, entry.account, entry.amount, entry.invoice_id, entry.line
      from json_to_recordset(${JSON.stringify(entries)}::json)
        as entry(source text, account text, amount bigint, invoice_id int, line smallint)
      join booked using (source)
    )
    select source from booked`.execute(db)
  return new Set(written.rows.map((row) => row.source))
}

/** Returns the amount owed on each of these invoices; negative is a credit of the customer. */
export async function openAmounts(db: Db, invoiceIds: readonly number[]): Promise<Map<number, number>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await openOfAll(db, { ids: invoiceIds })
  return new Map(rows.map((row) => [row.invoice_id!, row.open]))
}

const openOfAll = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  db
    .selectFrom('ledger_entries')
    .select('invoice_id')
    .select((eb) => sql<number>`${eb.fn.sum('amount')}::bigint`.as('open'))
    .where('account', '=', 'receivable')
    .where((eb) => eb('invoice_id', '=', eb.fn.any(eb.val(ids))))
    .groupBy('invoice_id'),
)

export const openAmount = async (db: Db, invoiceId: number): Promise<number> =>
  (await openAmounts(db, [invoiceId])).get(invoiceId) ?? 0

/** Returns the total that a customer owes; negative is a credit balance. */
export async function balanceOf(db: Db, accountId: AccountId): Promise<number> {
  const { balance } = await db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_transactions as booked', 'booked.id', 'entry.transaction_id')
    .select((eb) => sql<number>`coalesce(${eb.fn.sum('entry.amount')}, 0)::bigint`.as('balance'))
    .where('booked.account_id', '=', accountId)
    .where('entry.account', '=', 'receivable')
    .executeTakeFirstOrThrow()
  return balance
}
