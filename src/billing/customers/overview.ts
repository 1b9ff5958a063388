/** Where a customer stands: what the month costs so far, what is owed, what comes if it stays open. */
import type { Db } from '../../platform/db/index.ts'
import { chargeLines } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { sumOf, type ChargeLine } from '../charges/line.ts'
import { monthOf } from '../charges/period.ts'
import type { BillingOverview, InvoiceLine } from '../contract.ts'
import { oldestOverdue } from '../dunning/dunning-job.ts'
import { pausedUntil } from '../dunning/holds.ts'
import { stagesToCome } from '../dunning/stages.ts'
import { decideTax, readTaxRates } from '../invoices/tax.ts'
import { balanceOf } from '../ledger/post.ts'
import { readSettings } from '../settings.ts'
import type { BillingCustomer } from './customers.ts'
import { limitsOf } from './limits.ts'

export async function readOverview(db: Db, userId: number, now: Date): Promise<BillingOverview> {
  const settings = await readSettings(db)
  const customer = await db.selectFrom('billing_customers').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const currency = customer?.currency ?? settings.currency
  const month = monthOf(now)
  const usage = (await readCustomerUsage(db, { users: [userId], month, until: now, usage: 'fresh', currency })).get(
    userId,
  )
  const lines = usage ? chargeLines(usage, now) : []
  const oldest = await oldestOverdue(db, userId, now)
  const dunning = await db.selectFrom('dunning').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const stage = dunning?.stage ?? 'CURRENT'
  const dunningState = {
    stage,
    since: dunning?.since ?? now,
    pausedUntil: oldest && (await pausedUntil(db, userId, now)),
  }
  const later = oldest ? stagesToCome(oldest.dueAt, settings, dunningState, now) : []
  const buyer = customer ?? { country: null, vat_id: null, vat_status: 'NONE' as const }
  const tax = decideTax(settings, buyer, await readTaxRates(db, now))
  return {
    currency,
    balance: await balanceOf(db, userId),
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
    limits: await limitsOf(db, userId, settings),
  }
}

export const viewLine = ({
  kind,
  subject,
  description,
  quantity,
  unit,
  unitPrice,
  amount,
}: ChargeLine): InvoiceLine => ({
  kind,
  subject,
  description,
  quantity,
  unit,
  unitPrice,
  amount,
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
