/** Reads the engine's input for many customers in a handful of queries. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { accountsWithTraffic, routerUsagePeriods, type RouterUsagePeriod } from '../../routers/index.ts'
import { contractOf } from '../metering/contracts.ts'
import { cachedUsage, measureSegments, type UserRateSegment } from '../metering/usage.ts'
import { readPriceList, type PriceList } from '../prices/price-list.ts'
import type { CustomerUsage } from './charge-lines.ts'
import { openPeriod, type Interval } from './period.ts'
import { finalInvoicesOf } from './reopened.ts'
import { NO_USAGE, termsIn, type SegmentUsage } from './transit-lines.ts'

export interface UsageQuery {
  /** Null means all users. */
  readonly users: readonly AccountId[] | null
  readonly month: Interval
  /** Traffic is measured up to this time. */
  readonly until: Date
  /** `fresh` reads every slot. `kept` uses the last measurement, which is fast enough for a dashboard. */
  readonly usage: 'fresh' | 'kept'
  /** The operator's currency, for customers without a billing row. */
  readonly currency: string
}

/** Returns usage by user, ordered by id. Users without usage in the month, or with all of it invoiced, are left out. */
export async function readCustomerUsage(db: Db, question: UsageQuery): Promise<Map<AccountId, CustomerUsage>> {
  const { users, month, until, usage, currency } = question
  const of = <T extends { account_id: AccountId }>(rows: T[]) => Map.groupBy(rows, (row) => row.account_id)
  const among = sql<boolean>`(${users === null} or account_id = any(${users ?? []}::int[]))`
  const usagePeriods = Map.groupBy(
    await routerUsagePeriods(db, users, month.from, month.to),
    (usagePeriod) => usagePeriod.accountId,
  )
  const customers = new Map(
    (
      await db.selectFrom('billing_customers').select(['account_id', 'currency', 'billed_until']).where(among).execute()
    ).map((row) => [row.account_id, row]),
  )
  const contracts = of(
    await db
      .selectFrom('transit_contracts')
      .selectAll()
      .where(among)
      .where('effective_from', '<', month.to)
      .orderBy('effective_from')
      .execute(),
  )
  const items = of(
    await db
      .selectFrom('billing_items')
      .selectAll()
      .where(among)
      .whereRef('billed', '<', 'amount')
      .where('cancelled_at', 'is', null)
      .orderBy('id')
      .execute(),
  )
  const discounts = of(await db.selectFrom('billing_discounts').selectAll().where(among).orderBy('id').execute())
  const pauses = of(await db.selectFrom('billing_pauses').selectAll().where(among).execute())
  const prices = new Map<string, PriceList>()
  const reopened = await finalInvoicesOf(db, [...customers.values()], { month, until })

  const found = new Map<AccountId, CustomerUsage>()
  const carried = await accountsWithTraffic(db, users ?? { after: 0 }, month)
  const concerned = [...new Set([...usagePeriods.keys(), ...contracts.keys(), ...items.keys(), ...carried])].toSorted(
    (a, b) => a - b,
  )
  for (const accountId of concerned) {
    const customer = customers.get(accountId)
    const period = openPeriod(month.from, customer?.billed_until ?? null)
    if (!period) continue
    const own = customer?.currency ?? currency
    const list = prices.get(own) ?? (await readPriceList(db, own))
    prices.set(own, list)
    requireAccountCurrency(usagePeriods.get(accountId) ?? [], own)
    const invoiced = reopened.get(accountId)
    found.set(accountId, {
      accountId,
      currency: own,
      period,
      prices: list,
      usagePeriods: usagePeriods.get(accountId) ?? [],
      transit: termsIn(
        { from: invoiced ? month.from : period.from, to: period.to },
        (contracts.get(accountId) ?? []).map(contractOf),
        list,
      ).map((segment) => ({
        ...segment,
        usage: NO_USAGE,
        ...(invoiced && { invoiced: invoiced(segment.subject) }),
      })),
      items: (items.get(accountId) ?? []).map((row) => ({
        id: row.id,
        kind: row.kind,
        description: row.description,
        remaining: row.amount - row.billed,
        effectiveAt: row.effective_at,
        product: row.product,
        reference: row.reference,
      })),
      discounts: (discounts.get(accountId) ?? []).map((row) => ({
        id: row.id,
        description: row.description,
        percent: row.percent,
        scope: row.scope,
        from: row.starts_at,
        to: row.ends_at,
      })),
      pauses: (pauses.get(accountId) ?? []).map((row) => ({ from: row.starts_at, to: row.ends_at })),
    })
  }
  return withUsage(db, found, { month, until, usage })
}

async function withUsage(
  db: Db,
  facts: ReadonlyMap<AccountId, CustomerUsage>,
  { month, until, usage }: Pick<UsageQuery, 'month' | 'until' | 'usage'>,
): Promise<Map<AccountId, CustomerUsage>> {
  const segments: UserRateSegment[] = [...facts.values()].flatMap(({ accountId, transit }) =>
    transit.map((segment) => ({ ...segment, accountId })),
  )
  const measured =
    usage === 'fresh' ? await measureSegments(db, segments, until) : await cachedUsage(db, segments, month.from)
  const byUser = Map.groupBy(
    segments.map((segment, index) => ({
      ...segment,
      usage: withoutNoise(facts.get(segment.accountId)!, measured[index]!),
    })),
    (segment) => segment.accountId,
  )
  return new Map([...facts].map(([accountId, own]) => [accountId, { ...own, transit: byUser.get(accountId) ?? [] }]))
}

/**
 * A router that never answered was not delivered. What its boot sent does not bind its owner to the price list; traffic
 * at the percentile does.
 */
const withoutNoise = ({ usagePeriods }: CustomerUsage, usage: SegmentUsage): SegmentUsage =>
  usagePeriods.length === 0 && usage.bytes === 0 ? { ...usage, measured: false } : usage

/**
 * Throws if a usage period is in another currency. Orders cannot cause that, and mixing currencies would be worse
 * than no invoice.
 */
function requireAccountCurrency(usagePeriods: readonly RouterUsagePeriod[], currency: string): void {
  const stray = usagePeriods.find((usagePeriod) => usagePeriod.currency !== currency)
  if (stray)
    throw new Error(`router ${stray.routerId} is priced in ${stray.currency}, its customer pays in ${currency}`)
}
