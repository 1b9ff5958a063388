/** The final invoice of a customer who leaves, issued before the month ends. */
import type { AccountId } from '../../kernel/ids.ts'
import { conflict } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ownsRouters } from '../../routers/index.ts'
import { chargeLines } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { sumOf } from '../charges/line.ts'
import { monthOf } from '../charges/period.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { balanceOf } from '../ledger/post.ts'
import { willHaveContract } from '../metering/contracts.ts'
import { readSettings } from '../settings.ts'
import { issueInvoices } from './issue.ts'
import { readTaxRates } from './tax.ts'

/** Returns the id of the invoice, or null if there was nothing to invoice. Throws 409 while anything still runs. */
export async function issueClosingInvoice(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  now: Date,
): Promise<number | null> {
  const customer = await lockBillingCustomer(db, accountId)
  if (await ownsRouters(db, accountId)) throw conflict('Delete your routers first. They are billed while they exist.')
  const month = monthOf(now)
  if (customer.billed_until === null || customer.billed_until < month.from) {
    if (await hasUnbilledPast(db, accountId, month.from)) {
      throw conflict('The invoice of last month is being made: ask again in a few hours.')
    }
  }
  const settings = await readSettings(db)
  const { currency } = settings
  const usage = (await readCustomerUsage(db, { users: [accountId], month, until: now, usage: 'fresh', currency })).get(
    accountId,
  )
  if (!usage || now <= usage.period.from) return null
  if (usage.usagePeriods.some((usagePeriod) => usagePeriod.endedAt === null)) {
    throw conflict('Your routers are still being deleted. Try again in a minute.')
  }
  const { first_name, last_name } = await db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const bill = {
    customer,
    name: `${first_name} ${last_name}`,
    period: { from: usage.period.from, to: now },
    reason: 'CLOSING' as const,
    lines: chargeLines(usage, now),
  }
  const [id] = await issueInvoices(db, [bill], { settings, rates: await readTaxRates(db, now), now, actor })
  return id ?? null
}

async function hasUnbilledPast(db: Db, accountId: AccountId, monthStart: Date): Promise<boolean> {
  const before = new Date(monthStart.getTime() - 1)
  const { currency } = await readSettings(db)
  const usage = await readCustomerUsage(db, {
    users: [accountId],
    month: monthOf(before),
    until: monthStart,
    usage: 'kept',
    currency,
  })
  const own = usage.get(accountId)
  return own !== undefined && chargeLines(own, own.period.to).length > 0
}

/**
 * Returns what prevents closing an account, as text; null if everything is settled. Anything open, or still to be
 * invoiced, prevents it: after closing nobody could be charged or told.
 */
export async function currencyConflict(db: Db, accountId: AccountId, now: Date): Promise<string | null> {
  const owed = await balanceOf(db, accountId)
  if (owed > 0) return 'Pay your open invoices under Billing first.'
  if (owed < 0) return 'You have account credit. Ask support for a refund first.'
  const draft = await db
    .selectFrom('invoices')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'DRAFT')
    .executeTakeFirst()
  if (draft) return 'An invoice waits for your VAT id to be checked: it has to be issued and paid first.'
  if (await willHaveContract(db, accountId, now)) {
    return 'IP transit is agreed with you, which costs whether it is used or not: ask support to end it first.'
  }
  const { currency } = await readSettings(db)
  const month = monthOf(now)
  if (await hasUnbilledPast(db, accountId, month.from))
    return 'The invoice of last month is being made: try again in a few hours.'
  const usage = await readCustomerUsage(db, { users: [accountId], month, until: now, usage: 'fresh', currency })
  const own = usage.get(accountId)
  if (own && sumOf(chargeLines(own, now)) > 0) {
    return 'This month is not invoiced yet: ask for the final invoice first, under Billing.'
  }
  return null
}
