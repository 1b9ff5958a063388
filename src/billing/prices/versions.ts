/** Prices set by staff. Each version takes effect at a future moment and never changes after that. */
import type { Selectable } from 'kysely'
import { conflict, invalid, notFound, type FieldProblem } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { offeredPlans, setPlanPrice, type OfferedPlan } from '../../routers/index.ts'
import { publish } from '../../platform/events.ts'
import { readSettings } from '../settings.ts'
import { isOneOff } from './one-off-products.ts'
import { priceImpactOf } from './price-impact.ts'
import { transitTerms, type NewPrice } from './price-list.ts'
import type { Price } from '../contract.ts'
import type { PriceVersionsTable } from '../tables.ts'

export type PriceRow = Selectable<PriceVersionsTable>

const DAY_MS = 86_400_000

/** Returns all versions, the latest of each product first. */
export const listPrices = (db: Db): Promise<PriceRow[]> =>
  db.selectFrom('price_versions').selectAll().orderBy('product').orderBy('effective_from', 'desc').execute()

/** Returns current and scheduled prices: the latest version in force of each product, and all later ones. */
export async function currentPrices(db: Db, now: Date): Promise<PriceRow[]> {
  const rows = await listPrices(db)
  const inForce = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.product} ${row.currency}`
    if (row.effective_from <= now && !inForce.has(key)) inForce.set(key, row.id)
  }
  return rows.filter((row) => row.effective_from > now || inForce.get(`${row.product} ${row.currency}`) === row.id)
}

export const viewPrice = (row: PriceRow): Price => ({
  id: row.id,
  product: row.product,
  currency: row.currency,
  effectiveFrom: row.effective_from.toISOString(),
  hourlyPrice: row.hourly_price,
  monthlyPrice: row.monthly_price,
  oneOffPrice: row.one_off_price,
  name: row.name,
  transit: transitTerms(row),
})

/**
 * Adds a version. It cannot take effect in the past, because usage was sold at the price of its time. For the same
 * reason an increase for current customers must leave the notice period.
 */
export async function addPrice(db: Db, actor: Actor, price: NewPrice, now: Date): Promise<PriceRow> {
  const { currency } = await readSettings(db)
  await requireValidPrice(db, price, currency, now)
  const impact = await priceImpactOf(db, price, now)
  if (price.effectiveFrom < impact.earliest) {
    const day = new Date(impact.earliest.getTime() + DAY_MS).toISOString().slice(0, 10)
    throw invalid([
      {
        field: 'effectiveFrom',
        message: `is too soon: it raises what ${impact.customers} ${impact.customers === 1 ? 'customer has' : 'customers have'}, who are told ${impact.noticeDays} days ahead; ${day} is possible`,
      },
    ])
  }
  const row = await db
    .insertInto('price_versions')
    .values({
      product: price.product,
      currency,
      effective_from: price.effectiveFrom,
      hourly_price: price.hourlyPrice ?? 0,
      monthly_price: price.monthlyPrice ?? 0,
      one_off_price: price.oneOffPrice ?? null,
      name: price.name ?? null,
      commit_bps: price.transit?.commitBps ?? null,
      overage_price: price.transit?.overagePrice ?? null,
      direction: price.transit?.direction ?? null,
      raises: impact.raises,
      created_by: actor.userId,
    })
    .onConflict((clash) => clash.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict('There is a price of this product from that very moment already.')
  const { transit, ...figures } = price
  await audit(db, actor, {
    action: 'price.added',
    subject: { type: 'price', id: row.id },
    accountId: null,
    data: { ...figures, ...transit, currency, raises: impact.raises, customers: impact.customers },
  })
  await publish(db, { type: 'price', id: row.id, accountId: null })
  return row
}

/** Adds the first price of a fee. A name in use is rejected, because it would change the price of another fee. */
export async function addFee(
  db: Db,
  actor: Actor,
  slug: string,
  fee: Pick<NewPrice, 'name' | 'oneOffPrice' | 'effectiveFrom'>,
  now: Date,
): Promise<PriceRow> {
  const product = `fee:${slug}`
  const known = await db.selectFrom('price_versions').select('id').where('product', '=', product).executeTakeFirst()
  if (known) throw invalid([{ field: 'slug', message: 'is a fee already: give that one a new price' }])
  return addPrice(db, actor, { ...fee, product }, now)
}

/** Adds the first prices of a new plan. */
export async function addPlanPrices(
  db: Db,
  actor: Actor,
  plan: Pick<OfferedPlan, 'slug' | 'hourlyPrice' | 'monthlyPrice' | 'setupPrice'>,
  now: Date,
): Promise<void> {
  const { slug, hourlyPrice, monthlyPrice, setupPrice } = plan
  await addPrice(db, actor, { product: `router:${slug}`, effectiveFrom: now, hourlyPrice, monthlyPrice }, now)
  if (setupPrice === 0) return
  await addPrice(db, actor, { product: `setup:router:${slug}`, effectiveFrom: now, oneOffPrice: setupPrice }, now)
}

/** Validates the price itself, whatever its effective time. */
export async function requireValidPrice(db: Db, price: NewPrice, currency: string, now: Date): Promise<void> {
  if (price.effectiveFrom < now) {
    throw invalid([{ field: 'effectiveFrom', message: 'is in the past: a price takes effect now or later' }])
  }
  const slug = /^(?:setup:)?router:(.*)$/.exec(price.product)?.[1]
  if (
    slug !== undefined &&
    !(await offeredPlans(db)).some((plan) => plan.slug === slug && plan.currency === currency)
  ) {
    throw invalid([{ field: 'product', message: `there is no plan "${slug}" in ${currency}` }])
  }
  const isTransit = price.product === 'transit'
  if (isTransit !== (price.transit !== undefined)) {
    throw invalid([{ field: 'transit', message: isTransit ? 'is required for transit' : 'is for transit alone' }])
  }
  const wrong = validateAmounts(price)
  if (wrong.length > 0) throw invalid(wrong)
}

/** A one-off product has a single amount; a product charged by time has the others. */
function validateAmounts({ product, oneOffPrice, monthlyPrice, hourlyPrice, name }: NewPrice): FieldProblem[] {
  const oneOff = isOneOff(product)
  const named = product.startsWith('fee:')
  return [
    ...(oneOff && oneOffPrice === undefined
      ? [{ field: 'oneOffPrice', message: 'is required for what is charged once' }]
      : []),
    ...(oneOff && (hourlyPrice || monthlyPrice)
      ? [{ field: 'monthlyPrice', message: 'is not for what is charged once' }]
      : []),
    ...(!oneOff && monthlyPrice === undefined ? [{ field: 'monthlyPrice', message: 'is required' }] : []),
    ...(!oneOff && hourlyPrice && monthlyPrice === 0
      ? [{ field: 'monthlyPrice', message: 'is 0: no month costs more than that, so the hours would be free' }]
      : []),
    ...(!oneOff && oneOffPrice !== undefined ? [{ field: 'oneOffPrice', message: 'is for setup and fees alone' }] : []),
    ...(named !== (name !== undefined)
      ? [{ field: 'name', message: named ? 'is required: customers read it' : 'is for fees alone' }]
      : []),
  ]
}

/** Removes a version that nobody was charged for yet. */
export async function removePrice(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  const found = await db.selectFrom('price_versions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound()
  if (found.effective_from <= now) throw conflict('This price is in force already: add another one that follows it.')
  await db.deleteFrom('price_versions').where('id', '=', id).execute()
  await audit(db, actor, {
    action: 'price.removed',
    subject: { type: 'price', id },
    accountId: null,
    data: { product: found.product, effectiveFrom: found.effective_from },
  })
  await publish(db, { type: 'price', id, accountId: null })
}

/** Copies the current price to the plans, from which the catalog and new routers read it. */
export function priceReconciler({ db, clock }: { db: Db; clock: Clock }): Reconciler {
  return {
    name: 'prices',
    everyMs: 5_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    reconcile: () => applyPrices(db, clock.now()),
  }
}

export const applyPrices = (database: Db, now: Date): Promise<void> =>
  inTransaction(database, async (db) => {
    const rows = await db
      .selectFrom('price_versions')
      .distinctOn(['product', 'currency'])
      .selectAll()
      .where('product', '~', '^(setup:)?router:')
      .where('effective_from', '<=', now)
      .orderBy('product')
      .orderBy('currency')
      .orderBy('effective_from', 'desc')
      .execute()
    const inForce = new Map(rows.map((row) => [`${row.product} ${row.currency}`, row]))
    for (const plan of await offeredPlans(db)) {
      const byTime = inForce.get(`router:${plan.slug} ${plan.currency}`)
      const setUp = inForce.get(`setup:router:${plan.slug} ${plan.currency}`)
      const price = {
        hourlyPrice: byTime?.hourly_price ?? plan.hourlyPrice,
        monthlyPrice: byTime?.monthly_price ?? plan.monthlyPrice,
        setupPrice: setUp?.one_off_price ?? plan.setupPrice,
      }
      const same =
        plan.hourlyPrice === price.hourlyPrice &&
        plan.monthlyPrice === price.monthlyPrice &&
        plan.setupPrice === price.setupPrice
      if (!same) await setPlanPrice(db, plan.slug, price)
    }
  })
