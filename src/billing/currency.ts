/**
 * The single currency of the operator. It must be chosen before the first price, because a change would give every
 * stored amount another value.
 */
import { sql } from 'kysely'
import { SYSTEM, audit } from '../platform/audit.ts'
import { ConfigError } from '../platform/config.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import './tables.ts'

/** `wanted` comes from the configuration; unset keeps the current one. Returns the currency in force. */
export const resolveCurrency = (database: Db, wanted: string | undefined): Promise<string> =>
  inTransaction(database, async (db) => {
    const { currency } = await db
      .selectFrom('billing_settings')
      .select('currency')
      .$if(wanted !== undefined, (query) => query.forUpdate())
      .executeTakeFirstOrThrow()
    if (wanted === undefined || wanted === currency) return currency
    const used = await firstUse(db)
    if (used) {
      throw new ConfigError(
        `CURRENCY: got "${wanted}", but ${used} in ${currency} already; leave it at ${currency}, or begin with an empty database`,
      )
    }
    await db.updateTable('billing_settings').set({ currency: wanted }).execute()
    // No money has moved yet, so customers who have only opened Billing change too.
    await db.updateTable('billing_customers').set({ currency: wanted }).execute()
    await audit(db, SYSTEM, {
      action: 'billing_settings.changed',
      subject: { type: 'billing_settings', id: null },
      accountId: null,
      data: { before: { currency }, after: { currency: wanted } },
    })
    return wanted
  })

const USES = {
  plans: 'plans are priced',
  price_versions: 'prices are listed',
  router_usage_periods: 'routers were sold',
  transit_contracts: 'transit is agreed',
  billing_items: 'fees or credits exist',
  ledger_transactions: 'the books are kept',
} as const

async function firstUse(db: Db): Promise<string | null> {
  for (const [table, words] of Object.entries(USES)) {
    const { rows } = await sql<{ used: boolean }>`select exists (select from ${sql.table(table)}) as used`.execute(db)
    if (rows[0]!.used) return words
  }
  return null
}
