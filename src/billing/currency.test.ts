import { beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { testDatabase, accountIdOf } from '../platform/db/testing.ts'
import { billingCustomer } from './customers/customers.ts'
import { resolveCurrency } from './currency.ts'
import { seedBilling } from './seed.ts'
import { ensureSwift } from './testing/catalogue.ts'
import { addPayer } from './testing/test-app.ts'

const { db } = await testDatabase()
let userId = 0
beforeEach(async () => {
  await db.deleteFrom('price_versions').execute()
  await db.deleteFrom('plans').execute()
  await resolveCurrency(db, 'EUR')
  userId = await addPayer(db)
})

describe("the operator's currency", () => {
  test('is the one of the configuration, and a customer who only looked at Billing follows', async () => {
    expect(await resolveCurrency(db, undefined)).toBe('EUR')
    expect(await resolveCurrency(db, 'CHF')).toBe('CHF')
    expect(await resolveCurrency(db, undefined)).toBe('CHF')
    expect(await billingCustomer(db, accountIdOf(userId))).toMatchObject({ currency: 'CHF' })
    await seedBilling(db, { company: 'Longhaul AG', now: new Date('2026-03-02') })
    const prices = await db.selectFrom('price_versions').select('currency').distinct().execute()
    expect(prices).toEqual([{ currency: 'CHF' }])
  })

  test('stays once something has a price, and the start says so', async () => {
    await ensureSwift(db)
    await expect(resolveCurrency(db, 'USD')).rejects.toThrow(
      'CURRENCY: got "USD", but plans are priced in EUR already; leave it at EUR',
    )
    expect(await resolveCurrency(db, 'EUR')).toBe('EUR')
    expect(await billingCustomer(db, accountIdOf(userId))).toMatchObject({ currency: 'EUR' })
  })

  test('is one of ISO 4217 that is in use', () => {
    for (const wrong of ['eur', 'EURO', 'XXX', 'DEM', 'ABC'])
      expect(() => readConfig({ CURRENCY: wrong }, 'test'), wrong).toThrow(/CURRENCY/)
    expect(readConfig({ CURRENCY: 'USD' }, 'test')).toMatchObject({ CURRENCY: 'USD' })
    expect(readConfig({}, 'test')).toMatchObject({ CURRENCY: undefined })
  })
})
