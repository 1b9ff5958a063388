/** Lists the invoices of all customers, newest first unless sorted otherwise, with their totals. */
import type { UserId } from '../../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import { viewHead } from '../invoices/view.ts'
import { openAmounts } from '../ledger/post.ts'
import type { InvoiceFilter, InvoiceSort, InvoiceSortColumn } from '../states.ts'

export interface InvoiceInput {
  readonly status?: InvoiceFilter | undefined
  readonly search?: string | undefined
  readonly user?: number | undefined
}

/** Must match the index expressions exactly. */
const SORT_KEYS: Readonly<Record<InvoiceSortColumn, RawBuilder<unknown>>> = {
  issued: sql`coalesce(issued_at, 'infinity')`,
  total: sql`total`,
}

interface InvoicePage {
  readonly sort?: InvoiceSort | undefined
  readonly before?: number | undefined
  readonly limit: number
}

export async function pageOfInvoices(
  db: Db,
  { status, search, user, sort, before, limit }: InvoiceInput & InvoicePage,
  now: Date,
) {
  const key = sort && SORT_KEYS[sort.replace('-', '') as InvoiceSortColumn]
  const direction = sort === undefined || sort.startsWith('-') ? 'desc' : 'asc'
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const order = key ? sql`${key}, invoices.id` : sql`invoices.id`
  const place = key ? sql`(select ${key}, id from invoices where id = ${before})` : sql`${before}`
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('users', 'users.account_id', 'invoices.account_id')
    .selectAll('invoices')
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name'])
    .$if(status === 'OVERDUE', (query) => query.where('invoices.status', '=', 'OPEN').where('due_at', '<', now))
    .$if(status !== undefined && status !== 'OVERDUE', (query) =>
      query.where('invoices.status', '=', status as Exclude<InvoiceFilter, 'OVERDUE'>),
    )
    .$if(user !== undefined, (query) => query.where('users.id', '=', user as UserId))
    .$if(Boolean(search), (query) => query.where(matching(search!)))
    .$if(before !== undefined, (query) => query.where(sql<boolean>`(${order}) ${beyond} ${place}`))
    .$if(key !== undefined, (query) => query.orderBy(key!, direction))
    .orderBy('invoices.id', direction)
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, (row) => row.id)
  const open = await openAmounts(
    db,
    shown.map((row) => row.id),
  )
  return {
    invoices: shown.map((row) => ({
      ...viewHead(row, open.get(row.id) ?? 0),
      user: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
    })),
    next,
  }
}

/** A search that looks like the start of an invoice number matches numbers; any other matches customers. */
function matching(search: string) {
  const beginning = search.toUpperCase()
  if (/^[A-Z][A-Z\d]{0,7}-[\d-]*$/.test(beginning)) return sql<boolean>`invoices.number like ${`${beginning}%`}`
  const within = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`invoices.account_id in (
    select account_id from users where lower(first_name || ' ' || last_name || ' ' || email) like ${within} limit 1000
  )`
}

/**
 * Returns totals by status. Overdue invoices also count in `OPEN`. Paid and void invoices owe nothing and are not
 * counted.
 */
export async function readReceivables(db: Db, now: Date) {
  const { rows } = await sql<{ status: InvoiceFilter; count: number; amount: number }>`
    with waiting as (
      select status, due_at < ${now} as overdue, case status when 'OPEN' then (
          select coalesce(sum(amount), 0) from ledger_entries where account = 'receivable' and invoice_id = invoices.id
        ) else total end as amount
      from invoices where status in ('OPEN', 'DRAFT', 'UNCOLLECTIBLE')
    )
    select status, count(*) as count, sum(amount)::bigint as amount from waiting group by status
    union all
    select 'OVERDUE', count(*), coalesce(sum(amount), 0)::bigint from waiting where status = 'OPEN' and overdue`.execute(
    db,
  )
  return rows
}
