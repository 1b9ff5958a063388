/** Limits of a new account before its first invoice is paid. A stolen card shows by then. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { conflict, paymentRequired } from '../../kernel/problem.ts'
import { formatMoney } from '../../kernel/money.ts'
import type { Db } from '../../platform/db/index.ts'
import { countRouters } from '../../routers/index.ts'
import { chargeLines } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { sumOf } from '../charges/line.ts'
import { monthOf } from '../charges/period.ts'
import { balanceOf } from '../ledger/post.ts'
import { readSettings, type Settings } from '../settings.ts'

export interface Limits {
  readonly routers: number
  /** Minor units owed on invoices, plus the charges accrued since. */
  readonly owed: number
}

/** Returns null for an account that has paid an invoice. */
export async function limitsOf(db: Db, accountId: AccountId, settings: Settings): Promise<Limits | null> {
  const paid = await db
    .selectFrom('payments')
    .select(sql`1`.as('one'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'SUCCEEDED')
    .where((eb) => eb.or([eb('dispute', 'is', null), eb('dispute', '=', 'WON')]))
    .executeTakeFirst()
  return paid ? null : { routers: settings.new_account_routers, owed: settings.new_account_owed }
}

/** Call it before a router is ordered. Throws 402 or 409 with text that says what to do. */
export async function requireWithinLimits(db: Db, accountId: AccountId, now: Date): Promise<void> {
  const settings = await readSettings(db)
  const limits = await limitsOf(db, accountId, settings)
  if (!limits) return
  if ((await countRouters(db, accountId)) >= limits.routers) {
    throw conflict(
      `New accounts may have ${limits.routers} routers until the first invoice is paid; one that was deleted counts while it can be restored. Ask support for more.`,
      'limit_reached',
    )
  }
  const { currency } = settings
  const usage = (
    await readCustomerUsage(db, { users: [accountId], month: monthOf(now), until: now, usage: 'kept', currency })
  ).get(accountId)
  const owed = (await balanceOf(db, accountId)) + (usage ? sumOf(chargeLines(usage, now)) : 0)
  if (owed >= limits.owed) {
    const most = formatMoney({ amount: limits.owed, currency })
    throw paymentRequired(
      `New accounts may owe ${most} until the first invoice is paid: pay what is open, under Billing.`,
      'new_account_limit',
    )
  }
}
