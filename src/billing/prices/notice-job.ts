/**
 * Emails customers in advance about a price increase. A customer who gets the product between the announcement and
 * the effective date is told then. Nobody is told twice of one price.
 */
import { formatMoney } from '../../kernel/money.ts'
import type { Clock } from '../../kernel/clock.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { offeredPlans } from '../../routers/index.ts'
import type { BillingEmails, PriceIncrease } from '../emails.ts'
import { priceBefore } from './price-impact.ts'
import { holdersOf } from './holders.ts'
import { readPriceList, type PriceVersion } from './price-list.ts'
import type { PriceRow } from './versions.ts'

const BATCH = 100

export function priceNotices({ db, clock, emails }: { db: Db; clock: Clock; emails: BillingEmails }): Reconciler {
  return {
    name: 'price-notices',
    everyMs: 5 * 60_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'price' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('price_versions')
        .select('id')
        .where('raises', '=', true)
        .where('effective_from', '>', clock.now())
        .orderBy('effective_from')
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id, signal) {
      while (!signal.aborted && (await emailBatch(db, emails, id, clock.now())) === BATCH);
    },
  }
}

/** The emails and the record that they were queued commit together: none is sent twice and none is lost. */
const emailBatch = (database: Db, emails: BillingEmails, id: number, now: Date): Promise<number> =>
  inTransaction(database, async (db) => {
    const price = await db
      .selectFrom('price_versions')
      .selectAll()
      .where('id', '=', id)
      .where('effective_from', '>', now)
      .forShare()
      .executeTakeFirst()
    if (!price) return 0
    const users = await holdersOf(db, { product: price.product, now, unnotifiedOf: id, limit: BATCH })
    if (users.length === 0) return 0
    const email = await describePriceIncrease(db, price)
    for (const accountId of users) await emails.send(db, accountId, email)
    await db
      .insertInto('price_notices')
      .values(users.map((account_id) => ({ price_id: id, account_id, notified_at: now })))
      .execute()
    return users.length
  })

export async function describePriceIncrease(db: Db, price: PriceRow): Promise<PriceIncrease> {
  const list = await readPriceList(db, price.currency)
  const after = list.get(price.product)!.find((version) => version.id === price.id)!
  const before = await priceBefore(db, list, { product: price.product, effectiveFrom: price.effective_from })
  return {
    kind: 'price-raise',
    invoiceId: null,
    what: await nameOf(db, price.product),
    from: price.effective_from,
    changes: changesOf(before, after, price.currency),
  }
}

async function nameOf(db: Db, product: string): Promise<string> {
  if (product === 'transit') return 'IP transit'
  const family = /^address:ipv([46])$/.exec(product)?.[1]
  if (family) return `IPv${family} addresses`
  const plan = (await offeredPlans(db)).find((one) => `router:${one.slug}` === product)
  return `router ${plan?.name ?? product}`
}

function changesOf(before: PriceVersion | null, after: PriceVersion, currency: string): string[] {
  const money = (amount: number) => formatMoney({ amount, currency })
  const figures: [string, number, number][] = after.transit
    ? [
        ['commit, per month', before?.monthly ?? 0, after.monthly],
        ['each Mbit/s above the commit', before?.transit?.overagePrice ?? 0, after.transit.overagePrice],
      ]
    : [
        ['per hour', before?.hourly ?? 0, after.hourly],
        ['per month at most', before?.monthly ?? 0, after.monthly],
      ]
  const sentences = figures
    .filter(([, old, next]) => old !== next)
    .map(([what, old, next]) => `${what[0]!.toUpperCase()}${what.slice(1)}: ${money(old)} now, ${money(next)} then.`)
  const rates = [before?.transit?.commitBps, after.transit?.commitBps]
  if (rates[0] !== rates[1]) {
    sentences.push(`In the commit: ${(rates[0] ?? 0) / 1e6} Mbit/s now, ${(rates[1] ?? 0) / 1e6} Mbit/s then.`)
  }
  if (before?.transit && before.transit.direction !== after.transit?.direction) {
    sentences.push('Which direction of the traffic is measured changes too: see Billing.')
  }
  return sentences
}
