/** The demonstration's operator, and its prices beside those of the plans. */
import { inTransaction, type Db } from '../platform/db/index.ts'
import { readSettings } from './settings.ts'

/** All prices take effect on the first day of last year, so that all months of the demonstration have one price. */
export const seedBilling = (database: Db, options: { readonly company: string; readonly now: Date }): Promise<void> =>
  inTransaction(database, async (db) => {
    const from = new Date(Date.UTC(options.now.getUTCFullYear() - 1, 0, 1))
    const { currency } = await readSettings(db)
    const common = { currency, effective_from: from, created_by: null }
    await db
      .insertInto('price_versions')
      .values([
        {
          ...common,
          product: 'transit',
          hourly_price: 0,
          monthly_price: 0,
          commit_bps: 10_000_000,
          overage_price: 40,
          direction: 'MAX' as const,
          one_off_price: null,
          name: null,
        },
        {
          ...common,
          product: 'address:ipv4',
          hourly_price: 1,
          monthly_price: 150,
          one_off_price: null,
          name: null,
          ...NO_TRANSIT,
        },
        ...FEES.map((fee) => ({ ...common, ...fee, hourly_price: 0, monthly_price: 0, ...NO_TRANSIT })),
      ])
      .onConflict((clash) => clash.doNothing())
      .execute()
    await db
      .updateTable('billing_settings')
      .set({ ...OPERATOR, company: options.company })
      .where('company', 'is', null)
      .execute()
  })

/** A VAT id in the Dutch format that was never issued. */
const OPERATOR = {
  street: 'Science Park 400',
  postal_code: '1098 XH',
  city: 'Amsterdam',
  country: 'NL',
  vat_id: 'NL000099998B57',
  charges_tax: true,
}

const NO_TRANSIT = { commit_bps: null, overage_price: null, direction: null }

/** One-off fees; small plans have no setup fee. */
const FEES = [
  { product: 'setup:router:tern', one_off_price: 500, name: null },
  { product: 'setup:router:albatross', one_off_price: 1500, name: null },
  { product: 'setup:transit', one_off_price: 2500, name: null },
  { product: 'fee:remote-hands', one_off_price: 4500, name: 'Remote hands, half an hour' },
]
