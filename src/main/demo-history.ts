/** What the operator of the demonstration earned before today: two more customers, their routers, and months of invoices. */
import { seedUsers } from '../accounts/index.ts'
import { seedHistoricMonths } from '../billing/index.ts'
import type { PaymentProvider } from '../drivers/payments/index.ts'
import type { Db } from '../platform/db/index.ts'
import { seedHistoricRouters, seedHistoricTraffic } from '../routers/index.ts'

const MONTHS = 4
const DAY_MS = 86_400_000

export async function seedDemoHistory(options: {
  readonly db: Db
  readonly payments: PaymentProvider
  readonly now: Date
  readonly customerId: number
}): Promise<void> {
  const { db, now, customerId } = options
  const monthsAgo = (months: number, day: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, 10))
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [debtorId, companyId] = (await seedUsers(db, [
    { email: 'sora@heron.example.net', firstName: 'Sora', lastName: 'Heron', createdAt: monthsAgo(MONTHS, 2) },
    { email: 'ada@tern.example.net', firstName: 'Ada', lastName: 'Tern', createdAt: monthsAgo(MONTHS, 3) },
  ])) as [number, number]
  const [lab] = await seedHistoricRouters(db, [
    { userId: customerId, name: 'kestrel-lab', plan: 'swift', startedAt: monthsAgo(MONTHS, 9), endedAt: ago(3) },
    { userId: debtorId, name: 'heron-edge1', plan: 'albatross', startedAt: monthsAgo(MONTHS, 12), endedAt: ago(1) },
    { userId: debtorId, name: 'heron-edge2', plan: 'tern', startedAt: monthsAgo(MONTHS - 1, 20), endedAt: ago(1) },
    { userId: companyId, name: 'tern-fra1', plan: 'tern', startedAt: monthsAgo(MONTHS, 5), endedAt: ago(2) },
  ])
  // It carried the customer's traffic until the router of today took over, in the evenings more than the commit.
  await seedHistoricTraffic(db, {
    userId: customerId,
    routerId: lab!,
    from: ago(33),
    to: ago(3),
    peakBps: 14_000_000,
    outage: { from: ago(9), hours: 2.5 },
  })
  await seedHistoricMonths({ ...options, months: MONTHS, debtorId, companyId })
}
