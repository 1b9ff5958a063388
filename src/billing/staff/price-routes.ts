/** Plans and prices for staff. */
import type { AccountId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/problem.ts'
import { publish } from '../../platform/events.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Handlers } from '../../platform/http/mount.ts'
import { addPlan, offeredPlans, planUse, retirePlan } from '../../routers/index.ts'
import type { staffPricesApi } from '../contract/staff-prices.ts'
import { priceImpactOf } from '../prices/price-impact.ts'
import {
  addFee,
  addPlanPrices,
  addPrice,
  applyPrices,
  requireValidPrice,
  listPrices,
  removePrice,
  viewPrice,
} from '../prices/versions.ts'
import { readSettings } from '../settings.ts'
import type { StaffDeps } from './deps.ts'

/** More names would not fit beside the numbers. */
const NAMED = 5

export function priceHandlers({ clock }: StaffDeps): Handlers<typeof staffPricesApi> {
  const dated = <B extends { effectiveFrom?: string | undefined }>(body: B, now: Date) => ({
    ...body,
    effectiveFrom: body.effectiveFrom ? new Date(body.effectiveFrom) : now,
  })
  return {
    'GET /api/admin/prices': async (_, { db }) => (await listPrices(db)).map(viewPrice),
    'POST /api/admin/prices': async ({ body }, { db, actor }) => {
      const now = clock.now()
      const row = await addPrice(db, actor, dated(body, now), now)
      await applyPrices(db, now)
      return viewPrice(row)
    },
    'POST /api/admin/prices/preview': async ({ body }, { db }) => {
      const now = clock.now()
      const price = dated(body, now)
      await requireValidPrice(db, price, (await readSettings(db)).currency, now)
      const { changed, earliest, month, ...impact } = await priceImpactOf(db, price, now)
      const most = changed.slice(0, NAMED)
      const usersById = await namesOf(
        db,
        most.map((row) => row.accountId),
      )
      return {
        ...impact,
        earliest: earliest.toISOString(),
        month: month.toISOString(),
        most: most.map(({ accountId, before, after }) => ({ user: usersById.get(accountId)!, before, after })),
      }
    },
    'DELETE /api/admin/prices/{id}': ({ params }, { db, actor }) => removePrice(db, actor, params.id, clock.now()),
    'POST /api/admin/fees': async ({ body: { slug, ...fee } }, { db, actor }) => {
      const now = clock.now()
      return viewPrice(await addFee(db, actor, slug, { ...fee, effectiveFrom: now }, now))
    },
    'GET /api/admin/plans': (_, { db }) => viewPlans(db),
    'POST /api/admin/plans': async ({ body }, { db, actor }) => {
      const now = clock.now()
      const { currency } = await readSettings(db)
      await addPlan(db, actor, { ...body, currency })
      await addPlanPrices(db, actor, body, now)
      return planOf(db, body.slug)
    },
    'POST /api/admin/plans/{slug}/retire': async ({ params: { slug }, body }, { db, actor }) => {
      await planOf(db, slug)
      await retirePlan(db, actor, slug, clock.now(), body.reason)
      await publish(db, { type: 'price', id: null, accountId: null })
      return planOf(db, slug)
    },
  }
}

async function viewPlans(db: Db) {
  const use = await planUse(db)
  return (await offeredPlans(db)).map((plan) => ({
    ...plan,
    retiredAt: plan.retiredAt?.toISOString() ?? null,
    ...(use.get(plan.slug) ?? { routers: 0, customers: 0 }),
  }))
}

async function planOf(db: Db, slug: string) {
  const plan = (await viewPlans(db)).find((one) => one.slug === slug)
  if (!plan) throw notFound()
  return plan
}

async function namesOf(db: Db, accountIds: readonly AccountId[]) {
  if (accountIds.length === 0) return new Map<AccountId, { id: number; firstName: string; lastName: string }>()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'account_id', 'first_name', 'last_name'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(
    rows.map((row) => [row.account_id, { id: row.id, firstName: row.first_name, lastName: row.last_name }]),
  )
}
