/** A customer's billing overview: current charges, the amount owed, and the next dunning stages. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { daySum, sumOf, type ChargeLine } from '../charges/line.ts'
import { momentsOf, monthOf } from '../charges/period.ts'
import type { BillingOverview, InvoiceLine } from '../contract.ts'
import { oldestOverdue } from '../dunning/dunning-job.ts'
import { pausedUntil } from '../dunning/holds.ts'
import { stagesToCome } from '../dunning/stages.ts'
import { decideTax, readTaxRates } from '../invoices/tax.ts'
import { balanceOf } from '../ledger/post.ts'
import { readSettings } from '../settings.ts'
import type { BillingCustomer } from './customers.ts'
import { limitsOf } from './limits.ts'

const DAYS_OF_A_MONTH = 31

export async function readOverview(db: Db, accountId: AccountId, now: Date): Promise<BillingOverview> {
  const settings = await readSettings(db)
  const customer = await db
    .selectFrom('billing_customers')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const currency = customer?.currency ?? settings.currency
  const month = monthOf(now)
  const usage = await readUsage(db, accountId, currency, now)
  const lines = usage ? chargeLines(usage, now) : []
  const oldest = await oldestOverdue(db, accountId, now)
  const dunning = await db.selectFrom('dunning').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const stage = dunning?.stage ?? 'CURRENT'
  const dunningState = {
    stage,
    since: dunning?.since ?? now,
    pausedUntil: oldest && (await pausedUntil(db, accountId, now)),
  }
  const later = oldest ? stagesToCome(oldest.dueAt, settings, dunningState, now) : []
  const buyer = customer ?? { country: null, vat_id: null, vat_status: 'NONE' as const }
  const tax = decideTax(settings, buyer, await readTaxRates(db, now))
  return {
    currency,
    balance: await balanceOf(db, accountId),
    month: {
      from: (usage?.period.from ?? month.from).toISOString(),
      to: month.to.toISOString(),
      lines: lines.map(viewLine),
      accrued: sumOf(lines),
      projected: usage ? sumOf(chargeLines(usage, usage.period.to)) : 0,
      measuredAt: usage?.transit.some((segment) => segment.usage.measured) ? now.toISOString() : null,
    },
    dunning: {
      stage,
      since: dunning && stage !== 'CURRENT' ? dunning.since.toISOString() : null,
      invoiceId: oldest?.id ?? null,
      next: later.map((step) => ({ stage: step.stage, at: step.at.toISOString() })),
    },
    address: viewAddress(customer),
    tax: tax === 'PENDING' ? null : { rule: tax.rule, rate: tax.rate / 100 },
    limits: await limitsOf(db, accountId, settings),
  }
}

const readUsage = async (
  db: Db,
  accountId: AccountId,
  currency: string,
  now: Date,
): Promise<CustomerUsage | undefined> =>
  (await readCustomerUsage(db, { users: [accountId], month: monthOf(now), until: now, usage: 'fresh', currency })).get(
    accountId,
  )

/** Before tax. Traffic counts at its current percentile, which has no share per day. */
export async function readCostByDay(db: Db, accountId: AccountId, now: Date) {
  const customer = await db
    .selectFrom('billing_customers')
    .select('currency')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const currency = customer?.currency ?? (await readSettings(db)).currency
  const usage = await readUsage(db, accountId, currency, now)
  const days = momentsOf(monthOf(now), now, DAYS_OF_A_MONTH).map((at) => {
    const sum = usage ? sumOf(chargeLines(usage, at)) : 0
    return daySum(at, now, sum)
  })
  return { currency, days: days.map((day) => ({ ...day, at: day.at.toISOString() })) }
}

export const viewLine = ({
  kind,
  subject,
  description,
  quantity,
  unit,
  unitPrice,
  amount,
  time,
}: ChargeLine): InvoiceLine => ({
  kind,
  subject,
  description,
  quantity,
  unit,
  unitPrice,
  amount,
  periodStart: time?.from.toISOString() ?? null,
  periodEnd: time?.to.toISOString() ?? null,
})

export const viewAddress = (customer: BillingCustomer | undefined): BillingOverview['address'] => ({
  company: customer?.company ?? null,
  street: customer?.street ?? null,
  postalCode: customer?.postal_code ?? null,
  city: customer?.city ?? null,
  country: customer?.country ?? null,
  vatId: customer?.vat_id ?? null,
  vatStatus: customer?.vat_status ?? 'NONE',
  vatCheckedAt: customer?.vat_checked_at?.toISOString() ?? null,
})
