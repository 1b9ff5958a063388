/** Revenue for staff: by month, by day, by customer and by line. */
import type { UserId } from '../../kernel/ids.ts'
import { cached } from '../../platform/cached.ts'
import type { Handlers } from '../../platform/http/mount.ts'
import type { Db } from '../../platform/db/index.ts'
import { accountOf, usersOfAccounts } from '../../accounts/index.ts'
import type { staffRevenueApi } from '../contract/staff-revenue.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import { monthNamed } from '../metering/usage-to-date.ts'
import { revenueDays } from '../revenue/days.ts'
import { readInvoicing } from '../revenue/invoicing.ts'
import { monthName, revenueCustomers, revenueMonths } from '../revenue/months.ts'
import { unbilledSums } from '../revenue/unbilled.ts'
import { readSettings } from '../settings.ts'
import { revenuePage } from './revenue-page.ts'
import type { StaffDeps } from './deps.ts'

export function revenueHandlers({ db: pool, clock, revenueOf }: StaffDeps): Handlers<typeof staffRevenueApi> {
  const readDays = cached(async () => {
    const { currency } = await readSettings(pool)
    return { currency, days: await revenueDays(pool, clock.now(), currency) }
  })
  const compute = async (month: Interval) => {
    const { currency } = await readSettings(pool)
    return unbilledSums(pool, { month, now: clock.now(), currency, users: null })
  }
  const running = cached(async () => {
    const month = monthOf(clock.now())
    return { month, sums: await compute(month) }
  })
  const sumsOf = async (month: Interval) => {
    if (month.from.getTime() !== monthOf(clock.now()).from.getTime()) return compute(month)
    const cached = await running()
    // The cached sums may be from just before the month ended.
    return cached.month.from.getTime() === month.from.getTime() ? cached.sums : compute(month)
  }
  const invoicing = cached(async () => {
    const { currency } = await readSettings(pool)
    return readInvoicing(pool, clock.now(), currency, sumsOf)
  })
  return {
    'GET /api/admin/revenue': async ({ query }, { db }) => {
      const { currency } = await readSettings(db)
      const month = monthNamed(query.month, clock.now())
      const accountIds = query.user === undefined ? null : [await accountOf(db, query.user as UserId)]
      const lines = await revenueOf(currency).revenueLines(db, accountIds, month)
      const page = revenuePage({ month: monthName(month), currency }, lines, query)
      const owners = await usersOfAccounts(
        db,
        page.lines.map(({ accountId }) => accountId),
      )
      return {
        ...page,
        lines: page.lines.map(({ accountId, ...line }) => ({ userId: owners.get(accountId)!.id, ...line })),
      }
    },
    'GET /api/admin/revenue/days': async () => {
      const { currency, days } = await readDays()
      const shown = days.map((day) => ({ ...day, at: day.at.toISOString() }))
      return { currency, from: shown[0]!.at, to: shown.at(-1)!.at, days: shown }
    },
    'GET /api/admin/revenue/invoicing': invoicing,
    'GET /api/admin/revenue/months': async (_, { db }) => {
      const { currency } = await readSettings(db)
      return { currency, months: await revenueMonths(db, clock.now(), sumsOf) }
    },
    'GET /api/admin/revenue/customers': async ({ query }, { db }) => {
      const { currency } = await readSettings(db)
      const month = monthNamed(query.month, clock.now())
      const all = await revenueCustomers(db, month, sumsOf)
      const rest = query.after === undefined ? all : all.filter(isAfter(query.after))
      const page = rest.slice(0, query.limit)
      const last = page.at(-1)
      return {
        currency,
        total: all.length,
        customers: await named(db, page),
        next: rest.length > page.length && last ? `${last.projected}:${last.accountId}` : null,
      }
    },
  }
}

type Customers = Awaited<ReturnType<typeof revenueCustomers>>

/**
 * Sums change between two pages: a customer that moved past the cursor is listed twice or not at all, but never
 * causes an error.
 */
function isAfter(cursor: string) {
  const [projected, accountId] = cursor.split(':').map(Number) as [number, number]
  return (one: Customers[number]) =>
    one.projected < projected || (one.projected === projected && one.accountId > accountId)
}

async function named(db: Db, page: Customers) {
  const owners = await usersOfAccounts(
    db,
    page.map((one) => one.accountId),
  )
  return page.map(({ accountId, ...sums }) => {
    const { id, firstName, lastName, email } = owners.get(accountId)!
    return { id, firstName, lastName, email, ...sums }
  })
}
