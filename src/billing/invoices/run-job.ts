/**
 * The monthly run. Once a month is over and its last traffic has arrived, every customer with charges gets an
 * invoice. It processes customers in order, one batch per transaction, and records its progress. After a crash it
 * continues from there. Of two concurrent runs, the second waits for the first and finds its batch done.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { accountsWithTraffic } from '../../routers/index.ts'
import { chargeLines } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { HOUR_MS, monthOf, type Interval } from '../charges/period.ts'
import { ensureBillingCustomers } from '../customers/customers.ts'
import { readSettings } from '../settings.ts'
import { issueInvoices, type Bill } from './issue.ts'
import { readTaxRates, taxDayOf } from './tax.ts'

/**
 * Counters that could not be read for a while report their traffic later, by at most this much (the sampler of
 * routers).
 */
export const SETTLES_AFTER_MS = 6 * HOUR_MS
const BATCH = 1_000

export function invoiceRun({ db, clock }: { db: Db; clock: Clock }): Reconciler {
  return {
    name: 'invoice-run',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const month = await nextMonth(db, clock.now())
      return month ? [month.from.getUTCFullYear() * 100 + month.from.getUTCMonth() + 1] : []
    },
    async reconcile(id, signal) {
      const month = monthOf(new Date(Date.UTC(Math.floor(id / 100), (id % 100) - 1, 1)))
      while (!signal.aborted && !(await runBatch(db, month, clock.now())));
    },
  }
}

/** Returns the first month that is over and not finished; null if there is none. */
export async function nextMonth(db: Db, now: Date): Promise<Interval | null> {
  const { rows } = await sql<{ finished: Date | null; earliest: Date | null }>`
    select (select max(period_start) from billing_runs where finished_at is not null) as finished,
      least(
        (select min(started_at) from router_usage_periods),
        (select min(effective_at) from billing_items),
        (select min(effective_from) from transit_contracts)
      ) as earliest`.execute(db)
  const { finished, earliest } = rows[0]!
  const from = finished ? monthOf(finished).to : earliest
  if (!from) return null
  const month = monthOf(from)
  return month.to.getTime() + SETTLES_AFTER_MS <= now.getTime() ? month : null
}

/** Bills the next batch. Returns true when the month is finished. */
export function runBatch(db: Db, month: Interval, now: Date, batch: number = BATCH): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await transaction
      .insertInto('billing_runs')
      .values({ period_start: month.from, started_at: now, finished_at: null })
      .onConflict((clash) => clash.doNothing())
      .execute()
    const run = await transaction
      .selectFrom('billing_runs')
      .selectAll()
      .where('period_start', '=', month.from)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (run.finished_at) return true
    const users = await usersAfter(transaction, month, run.reached, batch)
    if (users.length > 0) {
      const invoices = await billUsers(transaction, users, month, now)
      await transaction
        .updateTable('billing_runs')
        .set((eb) => ({ reached: users.at(-1)!, invoices: eb('invoices', '+', invoices) }))
        .where('period_start', '=', month.from)
        .execute()
    }
    if (users.length === batch) return false
    await transaction
      .updateTable('billing_runs')
      .set({ finished_at: now })
      .where('period_start', '=', month.from)
      .execute()
    return true
  })
}

async function usersAfter(db: Db, month: Interval, reached: number, limit: number): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    (select distinct account_id from router_usage_periods
      where account_id > ${reached} and started_at < ${month.to} and (ended_at is null or ended_at > ${month.from})
      order by account_id limit ${limit})
    union (select distinct account_id from transit_contracts
      where account_id > ${reached} and effective_from < ${month.to} order by account_id limit ${limit})
    union (select distinct account_id from billing_items
      where account_id > ${reached} and billed < amount and cancelled_at is null and effective_at < ${month.to}
      order by account_id limit ${limit})
    order by account_id limit ${limit}`.execute(db)
  const carried = await accountsWithTraffic(db, { after: reached, limit }, month)
  return [...new Set([...rows.map((row) => row.account_id), ...carried])].toSorted((a, b) => a - b).slice(0, limit)
}

async function billUsers(db: Db, users: readonly AccountId[], month: Interval, now: Date): Promise<number> {
  const settings = await readSettings(db)
  const rates = await readTaxRates(db, taxDayOf(month))
  await ensureBillingCustomers(db, users)
  const customers = await db
    .selectFrom('billing_customers')
    .innerJoin('users', 'users.account_id', 'billing_customers.account_id')
    .selectAll('billing_customers')
    .select(['users.first_name', 'users.last_name'])
    .where('billing_customers.account_id', '=', sql<AccountId>`any(${users}::int[])`)
    .orderBy('billing_customers.account_id')
    .forNoKeyUpdate('billing_customers')
    .execute()
  const { currency } = settings
  const usage = await readCustomerUsage(db, { users, month, until: month.to, usage: 'fresh', currency })
  const bills = customers.flatMap((customer): Bill[] => {
    const own = usage.get(customer.account_id)
    if (!own) return []
    const lines = chargeLines(own, own.period.to)
    const name = `${customer.first_name} ${customer.last_name}`
    return [{ customer, name, period: own.period, reason: 'MONTHLY', lines }]
  })
  return (await issueInvoices(db, bills, { settings, rates, now, actor: SYSTEM })).length
}
