/** The catalogue that customers order from. */
import type { AccountId } from '../../kernel/ids.ts'
import { forbidden, paymentRequired } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { readBillingStatus } from '../../accounts/index.ts'
import { serviceOf } from '../capacity.ts'
import type { Catalogue } from '../contract.ts'
import type { RoutersDeps } from '../deps.ts'
import '../tables.ts'

export async function readCatalogue(
  db: Db,
  { currency, pricing, clock }: Pick<RoutersDeps, 'currency' | 'pricing' | 'clock'>,
  leased: readonly string[],
): Promise<Catalogue> {
  const plans = await listPlans(db).execute()
  const images = await listImages(db).execute()
  const sites = await db
    .selectFrom('sites')
    .select(['slug', 'name'])
    .select((eb) =>
      eb
        .and([
          eb('sites.closed_at', 'is', null),
          eb.exists(
            eb
              .selectFrom('hypervisors')
              .select('hypervisors.id')
              .whereRef('hypervisors.site_id', '=', 'sites.id')
              .where('drained', '=', false)
              .where(serviceOf({ leased, now: clock.now() }), 'in', ['answers', 'awaited']),
          ),
        ])
        .as('available'),
    )
    .orderBy('name')
    .execute()
  return {
    sites: sites.map((site) => ({ ...site, available: Boolean(site.available) })),
    plans: plans.map((plan) => ({
      slug: plan.slug,
      name: plan.name,
      cpus: plan.cpus,
      memory: plan.memory,
      diskSize: plan.disk_size,
      hourlyPrice: plan.hourly_price,
      monthlyPrice: plan.monthly_price,
      setupPrice: plan.setup_price,
    })),
    addresses: (await pricing?.addresses(db)) ?? [],
    images: images.map(({ slug, name, description }) => ({ slug, name, description })),
    currency: plans[0]?.currency ?? currency,
  }
}

/** Lists the plans that can be chosen, in the order of the price list. */
export const listPlans = (db: Db) =>
  db.selectFrom('plans').selectAll().where('retired_at', 'is', null).orderBy('position').orderBy('id')

export const listImages = (db: Db) =>
  db.selectFrom('images').selectAll().where('retired_at', 'is', null).orderBy('position').orderBy('id')

/**
 * Throws 402 for an account that cannot be charged and 403 for one that staff suspended, before anything that would
 * cost money.
 */
export async function requirePayable(db: Db, accountId: AccountId): Promise<void> {
  const billingStatus = await readBillingStatus(db, accountId)
  if (billingStatus.byStaff) throw forbidden('The account is suspended by staff.', 'account_suspended_by_staff')
  if (billingStatus.suspended) {
    throw paymentRequired(
      billingStatus.reason ?? 'Your account is suspended: see Billing for what is open.',
      'account_suspended',
    )
  }
  if (!billingStatus.mayBeBilled) throw paymentRequired('Add a payment card first.', 'payment_method_missing')
}
