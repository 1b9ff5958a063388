/** Sums by month and by customer, for the revenue pages. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import { billedSums } from './billed.ts'
import { isInvoiced, type UnbilledSum } from './unbilled.ts'

export interface RevenueSums {
  readonly invoiced: number
  readonly credited: number
  readonly unbilled: number
  readonly accrued: number
  readonly projected: number
}

const MOST = 36

export const monthName = (month: Interval): string => month.from.toISOString().slice(0, 7)

/** Returns the uninvoiced part of a month, by customer. */
export type SumsOf = (month: Interval) => Promise<ReadonlyMap<AccountId, UnbilledSum>>

export async function revenueMonths(db: Db, now: Date, sumsOf: SumsOf) {
  const running = monthOf(now)
  const billed = await billedMonths(db, running.from)
  const before = monthOf(new Date(running.from.getTime() - 1))
  const open = (await isInvoiced(db, before)) ? [running] : [running, before]
  const computed = await Promise.all(open.map(async (month) => ({ month, ...totalOf(await sumsOf(month)) })))
  const unbilledOf = new Map(computed.map((one) => [one.month.from.getTime(), one]))
  const starts = [
    ...new Set([
      ...billed.keys(),
      ...computed.filter((one) => one.customers.size > 0 || one.month === running).map(({ month }) => +month.from),
    ]),
  ]
  return starts
    .toSorted((a, b) => b - a)
    .slice(0, MOST)
    .map((start) => {
      const month = monthOf(new Date(start))
      const own = billed.get(start)
      const rest = unbilledOf.get(start)
      const sums = { invoiced: own?.invoiced ?? 0, credited: own?.credited ?? 0 }
      return {
        month: monthName(month),
        from: month.from.toISOString(),
        to: month.to.toISOString(),
        running: rest !== undefined,
        ...withRest(sums, rest ?? NOTHING),
        tax: own?.tax ?? 0,
        open: own?.open ?? 0,
        writtenOff: own?.written_off ?? 0,
        customers: new Set([...(own?.users ?? []), ...(rest?.customers ?? [])]).size || (own?.customers ?? 0),
      }
    })
}

const NOTHING = { unbilled: 0, expected: 0 }

const withRest = (
  { invoiced, credited }: { invoiced: number; credited: number },
  { unbilled, expected }: { unbilled: number; expected: number },
): RevenueSums => ({
  invoiced,
  credited,
  unbilled,
  accrued: invoiced + credited + unbilled,
  projected: invoiced + credited + expected,
})

function totalOf(sums: ReadonlyMap<AccountId, UnbilledSum>) {
  const total = { unbilled: 0, expected: 0, customers: new Set<AccountId>() }
  for (const [accountId, { unbilled, expected }] of sums) {
    total.unbilled += unbilled
    total.expected += expected
    if (expected !== 0) total.customers.add(accountId)
  }
  return total
}

interface BilledMonth {
  readonly start: Date
  readonly invoiced: number
  readonly credited: number
  readonly tax: number
  readonly open: number
  readonly written_off: number
  readonly customers: number
  /** For the current month only: these are merged with customers who are not on an invoice yet. */
  readonly users: readonly AccountId[] | null
}

/** By the first moment of the month. Open and written-off amounts are only read for the few invoices that have them. */
async function billedMonths(db: Db, running: Date): Promise<Map<number, BilledMonth>> {
  const { rows } = await sql<BilledMonth>`
    select date_trunc('month', period_start, 'UTC') as start,
      coalesce(sum(subtotal) filter (where kind = 'INVOICE'), 0)::bigint as invoiced,
      coalesce(sum(subtotal) filter (where kind = 'CREDIT_NOTE'), 0)::bigint as credited,
      sum(tax)::bigint as tax,
      coalesce(sum(case when status = 'OPEN' then (
        select sum(amount) from ledger_entries where account = 'receivable' and invoice_id = invoices.id
      ) end), 0)::bigint as open,
      coalesce(sum(case when status = 'UNCOLLECTIBLE' then (
        select sum(amount) from ledger_transactions booked join ledger_entries entry on transaction_id = booked.id
        where source = 'write-off:' || invoices.id and account = 'bad-debt'
      ) end), 0)::bigint as written_off,
      count(distinct account_id) as customers,
      array_agg(distinct account_id) filter (where period_start >= ${running}) as users
    from invoices group by 1 order by 1 desc limit ${MOST}`.execute(db)
  return new Map(rows.map((row) => [row.start.getTime(), row]))
}

export interface RevenueCustomer extends RevenueSums {
  readonly accountId: AccountId
}

/** Returns all customers with revenue in the month, the highest first. */
export async function revenueCustomers(db: Db, month: Interval, sumsOf: SumsOf): Promise<RevenueCustomer[]> {
  const billed = await billedSums(db, month, null)
  const rest = await sumsOf(month)
  return [...new Set([...billed.keys(), ...rest.keys()])]
    .map((accountId) => ({
      accountId,
      ...withRest(billed.get(accountId) ?? { invoiced: 0, credited: 0 }, rest.get(accountId) ?? NOTHING),
    }))
    .filter((one) => one.accrued !== 0 || one.projected !== 0 || one.invoiced !== 0)
    .toSorted((a, b) => b.projected - a.projected || a.accountId - b.accountId)
}
