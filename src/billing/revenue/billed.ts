/**
 * The part of a month that is on invoices, drafts and credit notes. A credit note counts in the month that it
 * corrects.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Interval } from '../charges/period.ts'
import type { InvoiceLine } from '../contract.ts'
import type { LineKind } from '../states.ts'
import '../tables.ts'

export interface BilledSums {
  readonly invoiced: number
  readonly credited: number
}

const within = (month: Interval) => sql<boolean>`(period_start >= ${month.from} and period_start < ${month.to})`
const among = (users: readonly AccountId[] | null) =>
  sql<boolean>`(${users === null} or account_id = any(${users ?? []}::int[]))`

/** Returns sums before tax, by customer. */
export async function billedSums(
  db: Db,
  month: Interval,
  users: readonly AccountId[] | null,
): Promise<Map<AccountId, BilledSums>> {
  const rows = await db
    .selectFrom('invoices')
    .select('account_id')
    .select(sql<number>`coalesce(sum(subtotal) filter (where kind = 'INVOICE'), 0)::bigint`.as('invoiced'))
    .select(sql<number>`coalesce(sum(subtotal) filter (where kind = 'CREDIT_NOTE'), 0)::bigint`.as('credited'))
    .where(within(month))
    .where(among(users))
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, invoiced, credited }) => [account_id, { invoiced, credited }]))
}

export const sumOfBilled = (sums: Iterable<BilledSums>): number =>
  [...sums].reduce((sum, { invoiced, credited }) => sum + invoiced + credited, 0)

export interface BilledLine extends InvoiceLine {
  readonly accountId: AccountId
  readonly invoice: { readonly id: number; readonly number: string | null }
}

export async function billedLines(
  db: Db,
  month: Interval,
  { users, kind }: { readonly users: readonly AccountId[] | null; readonly kind?: LineKind | undefined },
): Promise<BilledLine[]> {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('invoice_lines as line', 'line.invoice_id', 'invoices.id')
    .selectAll('line')
    .select(['invoices.account_id', 'invoices.number'])
    .where(within(month))
    .where(among(users))
    .$if(kind !== undefined, (query) => query.where('line.kind', '=', kind!))
    .orderBy('invoices.account_id')
    .orderBy('invoices.id')
    .orderBy('line.position')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    invoice: { id: row.invoice_id, number: row.number },
    kind: row.kind,
    subject: row.subject,
    description: row.description,
    quantity: Number(row.quantity),
    unit: row.unit,
    unitPrice: row.unit_price,
    amount: row.amount,
    periodStart: row.starts_at?.toISOString() ?? null,
    periodEnd: row.ends_at?.toISOString() ?? null,
  }))
}

/**
 * Returns the sum up to a moment within the month. An invoice for a part of the month counts as earned evenly over
 * that part.
 */
export async function billedShares(db: Db, month: Interval): Promise<(at: Date) => number> {
  const rows = await db
    .selectFrom('invoices')
    .select(['period_start', 'period_end'])
    .select((eb) => sql<number>`${eb.fn.sum('subtotal')}::bigint`.as('subtotal'))
    .where(within(month))
    .groupBy(['period_start', 'period_end'])
    .execute()
  return (at) =>
    rows.reduce((sum, { period_start, period_end, subtotal }) => {
      const passed = (at.getTime() - period_start.getTime()) / (period_end.getTime() - period_start.getTime())
      return sum + Math.round(subtotal * Math.min(1, Math.max(0, passed)))
    }, 0)
}
