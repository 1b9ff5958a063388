/**
 * The customers of the demonstration and their history: what they had, their traffic, and what they paid. Running
 * resources are not written here: the reconcilers create them from the orders.
 */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { SECOND_SITE } from '../../lab/second-site.ts'
import { seedUsers, seedVerifiedAsn } from '../accounts/index.ts'
import { addPaymentMethod, describeHistoricCustomers, seedHistoricMonths, transitSetUp } from '../billing/index.ts'
import type { PaymentProvider } from '../drivers/payments/index.ts'
import { manualClock, type Clock } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import { SYSTEM } from '../platform/audit.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import {
  backdateRouter,
  createRouter,
  seedHistoricRouters,
  seedHistoricTraffic,
  seedHypervisorHistory,
  seedMissingImage,
  type Order,
} from '../routers/index.ts'
import { seedSecondTransit, seedTransit, type TransitWriter } from '../transit/index.ts'

export const IMAGE = 'longhaul-appliance'
const MISSING_IMAGE = 'longhaul-appliance-next'
const FIRST_SITE = 'ams1'
const TERN_ASN = 500_040
const MONTHS = 4
/** Returns the first day of the month in which the demonstration began. */
export const startOfDemonstration = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS, 1, 9))
const DAY_MS = 86_400_000
/** On a machine with real guests: keeps them from all booting at the same time. */
const BETWEEN_STARTS_MS = 15_000

export interface DemoHistory {
  readonly db: Db
  readonly clock: Clock
  readonly config: Config
  readonly publicUrl: () => string
  readonly secretKey: SecretKey
  readonly payments: PaymentProvider
  readonly transit: TransitWriter
  readonly staffId: UserId
  readonly customerId: AccountId
  /** The hypervisors that this process drives; without the second one the second site is left out. */
  readonly leased: readonly string[]
  readonly startsApart: boolean
  /** What a machine carries once it runs, bit/s. */
  readonly idleBps: number
}

export async function seedDemoHistory(options: DemoHistory): Promise<void> {
  const { db, clock, payments, staffId, customerId, leased, idleBps } = options
  const now = clock.now()
  const monthsAgo = (months: number, day: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, 10))
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await addPaymentMethod({ db, clock, payments }, SYSTEM, customerId, 'pm_card_visa')
  const [debtorId, companyId] = (await seedUsers(db, [
    {
      email: 'sora@heron.example.net',
      firstName: 'Sora',
      lastName: 'Heron',
      createdAt: monthsAgo(MONTHS, 2),
      lastSignInAt: ago(19),
    },
    {
      email: 'ada@tern.example.net',
      firstName: 'Ada',
      lastName: 'Tern',
      createdAt: monthsAgo(MONTHS, 3),
      lastSignInAt: ago(1.3),
    },
  ])) as [AccountId, AccountId]
  const past = { ...options, now, months: MONTHS, debtorId, companyId }
  await describeHistoricCustomers(past)
  await seedVerifiedAsn({ ...options, clock: manualClock(monthsAgo(MONTHS, 4)) }, db, {
    staffId,
    accountId: companyId,
    asn: TERN_ASN,
  })

  const order = orders(options, now)
  // Lists show the newest first, so the router with the connection is ordered last.
  let second: number | null = null
  let ternSecond: number | null = null
  if (leased.includes(SECOND_SITE.hypervisor)) {
    // Ordered but never online: nothing is charged for it.
    await seedMissingImage(db, MISSING_IMAGE, () =>
      order(customerId, 'kestrel-next', SECOND_SITE.slug, { image: MISSING_IMAGE }),
    )
    await order(customerId, 'kestrel-vie2', SECOND_SITE.slug, { since: monthsAgo(2, 20), desired: 'stopped' })
    second = await order(customerId, 'kestrel-vie1', SECOND_SITE.slug, { since: monthsAgo(3, 14), startsAs: 3 })
    ternSecond = await order(companyId, 'tern-vie1', SECOND_SITE.slug, { since: monthsAgo(MONTHS, 6), startsAs: 4 })
  }
  const carrier = await order(customerId, 'kestrel-ams1', FIRST_SITE, { since: monthsAgo(MONTHS, 9), startsAs: 1 })
  const ternCarrier = await order(companyId, 'tern-ams1', FIRST_SITE, { since: monthsAgo(MONTHS, 5), startsAs: 2 })
  const connection = { staffId, since: monthsAgo(MONTHS, 10) }
  const transit = { ...options.transit, setUp: transitSetUp }
  await seedTransit(transit, db, { ...connection, customerId, routerId: carrier })
  await seedSecondTransit(transit, db, { ...connection, customerId: companyId, routerId: ternCarrier })

  await seedHistoricRouters(db, [
    { accountId: customerId, name: 'kestrel-lab', plan: 'swift', startedAt: monthsAgo(MONTHS, 9), endedAt: ago(3) },
    { accountId: debtorId, name: 'heron-edge1', plan: 'albatross', startedAt: monthsAgo(MONTHS, 12), endedAt: ago(1) },
    { accountId: debtorId, name: 'heron-edge2', plan: 'tern', startedAt: monthsAgo(MONTHS - 1, 20), endedAt: ago(1) },
    { accountId: companyId, name: 'tern-core1', plan: 'tern', startedAt: monthsAgo(MONTHS, 5), endedAt: ago(2) },
  ])
  // Above the commit in the evenings, and nothing while the sessions were down.
  const traffic = [
    { accountId: customerId, routerId: carrier, peakBps: 14_000_000, outage: { from: ago(9), hours: 2.5 } },
    { accountId: customerId, routerId: second, peakBps: 1_200_000 },
    { accountId: companyId, routerId: ternCarrier, peakBps: 6_500_000 },
    { accountId: companyId, routerId: ternSecond, peakBps: 900_000 },
  ]
  for (const { routerId, ...carried } of traffic)
    if (routerId !== null) await seedHistoricTraffic(db, { ...carried, routerId, from: ago(33), to: now, idleBps })
  await seedHypervisorHistory(db, now)
  await seedHistoricMonths(past)
}

interface Wanted {
  /** If absent: this morning. */
  readonly since?: Date
  readonly desired?: 'running' | 'stopped'
  readonly image?: string
  /** On a machine where routers start at intervals: its place in the order, the first at once. */
  readonly startsAs?: number
}

/** Orders routers as every customer does. A machine without enough room gets one router less. */
function orders({ db, config, leased, startsApart }: DemoHistory, now: Date) {
  return async (accountId: AccountId, name: string, site: string, wanted: Wanted): Promise<number | null> => {
    if (!config.DEMO_ROUTERS) return null
    const { since, desired = 'running', image = IMAGE, startsAs = 1 } = wanted
    const ordered: Order = { name, site, plan: 'lark', image }
    try {
      const { id } = await createRouter(db, SYSTEM, accountId, ordered, { now, leased })
      const startAt = startsApart && startsAs > 1 ? new Date(now.getTime() + (startsAs - 1) * BETWEEN_STARTS_MS) : null
      if (since) await backdateRouter(db, id, { since, desired, startAt })
      return id
    } catch (error) {
      if (error instanceof Problem && error.code === 'no_capacity') return null
      throw error
    }
  }
}
