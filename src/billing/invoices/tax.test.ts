import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import type { BillingOverview, Invoice } from '../contract.ts'
import { changeAddress } from '../customers/customers.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { changeSettings } from '../settings.ts'
import { decideTax } from './tax.ts'
import { addPayer, addUsagePeriod, createBillingTestApp, VAT_ID } from '../testing/test-app.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work, vat } = testApp
const SELLER = { company: 'Longhaul B.V.', country: 'NL', charges_tax: true, one_stop_shop: true }

let userId = 0
beforeEach(async () => {
  vat.setUnreachable(false)
  userId = await addPayer(db)
})
const invoicesOf = async () => (await call('GET', '/api/invoices', userId)).json<Invoice[]>()

describe('tax', () => {
  beforeEach(async () => {
    await changeSettings(db, SYSTEM, SELLER)
  })

  test('waits for the registry as a draft without a number, and follows its word', async () => {
    const month = testApp.freeMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'DE', vatId: 'DE123456789' }, clock.now())
    vat.setUnreachable(true)
    await work('vat-ids')
    await testApp.billMonth(month)
    expect((await invoicesOf())[0]).toMatchObject({ status: 'DRAFT', number: null, subtotal: 990, tax: 0 })
    await work('vat-ids', 'invoice-drafts')
    expect((await invoicesOf())[0]).toMatchObject({ status: 'DRAFT' })
    vat.setUnreachable(false)
    clock.advance(3_600_000)
    await work('vat-ids', 'invoice-drafts')
    // The registry does not know the id, so the rate of the customer's country applies.
    expect((await invoicesOf())[0]).toMatchObject({ status: 'OPEN', taxRule: 'ONE_STOP_SHOP', taxRate: 19, tax: 188 })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is told before there is an invoice, unless it hangs on the word of the registry', async () => {
    const expectedTax = async () => (await call('GET', '/api/billing', userId)).json<BillingOverview>().tax
    expect(await expectedTax()).toEqual({ rule: 'DOMESTIC', rate: 21 })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'DE', vatId: 'DE123456789' }, clock.now())
    expect(await expectedTax()).toBeNull()
    await work('vat-ids')
    expect(await expectedTax()).toEqual({ rule: 'ONE_STOP_SHOP', rate: 19 })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'US', vatId: null }, clock.now())
    expect(await expectedTax()).toEqual({ rule: 'OUTSIDE', rate: 0 })
  })

  test('is left to the customer when the registry knows the id', async () => {
    await changeSettings(db, SYSTEM, { country: 'DE' })
    const month = testApp.freeMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'NL', vatId: VAT_ID }, clock.now())
    await work('vat-ids')
    await testApp.billMonth(month)
    expect((await invoicesOf())[0]).toMatchObject({
      taxRule: 'REVERSE_CHARGE',
      tax: 0,
      total: 990,
      taxNote: expect.stringContaining('Reverse charge'),
    })
  })

  test('is charged at last when the registry stays away', async () => {
    const month = testApp.freeMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'DE', vatId: 'DE123456789' }, clock.now())
    vat.setUnreachable(true)
    await testApp.billMonth(month)
    clock.advance(11 * 86_400_000)
    await work('vat-ids', 'invoice-drafts')
    expect((await invoicesOf())[0]).toMatchObject({ status: 'OPEN', tax: 188 })
  })
})

describe('the rate of tax', () => {
  test('is that of the last day of what was used, not of the day on which it is invoiced', async () => {
    const month = testApp.freeMonth()
    const rate = { country: 'NL', source: null, confirmed_on: null, confirmed_by: null }
    const first = (at: Date) => at.toISOString().slice(0, 10)
    await db
      .insertInto('tax_rates')
      .values([
        { ...rate, effective_from: first(month.from), rate: 2000 },
        { ...rate, effective_from: first(month.to), rate: 2500 },
      ])
      .execute()
    await changeSettings(db, SYSTEM, SELLER)
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await testApp.billMonth(month)
    expect((await invoicesOf())[0]).toMatchObject({ taxRate: 20, subtotal: 990, tax: 198 })
  })

  test('has to be known before tax is charged: a country without one would charge none', async () => {
    await expect(changeSettings(db, SYSTEM, { ...SELLER, country: 'GB' })).rejects.toThrow('rate')
  })

  test('is charged where the id is of another country than the address', () => {
    const rates = new Map([
      ['NL', 2100],
      ['DE', 1900],
    ])
    const buyer = { country: 'DE', vat_status: 'VALID' } as const
    expect(decideTax(SELLER, { ...buyer, vat_id: 'DE123456789' }, rates)).toEqual({ rule: 'REVERSE_CHARGE', rate: 0 })
    expect(decideTax(SELLER, { ...buyer, vat_id: 'FR12345678901' }, rates)).toEqual({
      rule: 'ONE_STOP_SHOP',
      rate: 1900,
    })
  })

  test.each([
    ['a seller who charges none', { charges_tax: false }, { country: 'DE' }, 'NONE', 0],
    ['a seller without a country', { country: null }, { country: 'DE' }, 'NONE', 0],
    ['a buyer without a country', {}, { country: null }, 'DOMESTIC', 2100],
    ['the seller’s own country, with a VAT id too', {}, { country: 'NL', vat_id: VAT_ID }, 'DOMESTIC', 2100],
    ['a buyer outside the Union', {}, { country: 'CH' }, 'OUTSIDE', 0],
    ['a seller outside the Union', { country: 'CH' }, { country: 'DE' }, 'OUTSIDE', 0],
    ['a VAT id that is not valid', {}, { country: 'DE', vat_status: 'INVALID' }, 'ONE_STOP_SHOP', 1900],
    ['a seller below the threshold', { one_stop_shop: false }, { country: 'DE', vat_id: null }, 'DOMESTIC', 2100],
    ['a country without a known rate', {}, { country: 'FR', vat_id: null }, 'DOMESTIC', 2100],
  ] as const)('follows the countries of both: %s', (_, seller, buyer, rule, rate) => {
    const rates = new Map([
      ['NL', 2100],
      ['DE', 1900],
      ['CH', 810],
    ])
    const asked = { vat_id: 'DE123456789', vat_status: 'VALID', ...buyer } as const
    expect(decideTax({ ...SELLER, ...seller }, asked, rates)).toEqual({ rule, rate })
  })

  test('the tax rate of a draft follows the address that it will be issued to', async () => {
    const month = testApp.freeMonth()
    await changeSettings(db, SYSTEM, SELLER)
    vat.setUnreachable(true)
    await changeAddress(
      db,
      SYSTEM,
      accountIdOf(userId),
      { country: 'DE', vatId: 'DE999999998', city: 'Berlin' },
      clock.now(),
    )
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await testApp.billMonth(month)
    expect((await invoicesOf())[0]).toMatchObject({ status: 'DRAFT' })
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'CH', city: 'Bern', vatId: null }, clock.now())
    await work('invoice-drafts')
    const [issued] = await invoicesOf()
    expect(issued).toMatchObject({ taxRule: 'OUTSIDE', tax: 0 })
    const { buyer } = await db
      .selectFrom('invoices')
      .select('buyer')
      .where('id', '=', issued!.id)
      .executeTakeFirstOrThrow()
    expect(buyer).toMatchObject({ country: 'CH', city: 'Bern', vatId: null })
  })
})
