import { accountIdOf } from '../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { ensureSwift } from './testing/catalogue.ts'
import { billingApi } from './contract.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from './testing/test-app.ts'
import type { BillingOverview } from './contract.ts'
import { createRevenue } from './revenue/revenue.ts'
import { requireWithinLimits } from './customers/limits.ts'

const testApp = await createBillingTestApp({ now: '2026-03-02T09:00:00Z' })
const { db, call, clock } = testApp
let userId = 0
let staff = ''
beforeEach(async () => {
  clock.set('2026-03-02T09:00:00Z')
  userId = await addPayer(db)
  staff = `${await addPayer(db, { isAdmin: true })}s`
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const calls = Object.entries(billingApi).map(([key, endpoint]) => {
  const [method, path] = key.split(' ') as [Method, string]
  return { key, method, path: path.replace('{id}', '2000000000'), access: endpoint.access }
})

describe('the API', () => {
  test.each(calls)('$key is closed to strangers', async ({ method, path }) => {
    expect((await testApp.app.inject({ method, url: path })).statusCode).toBe(401)
  })

  test.each(calls.filter((one) => one.access === 'admin'))('$key is for staff', async ({ method, path }) => {
    expect((await call(method, path, userId, method === 'GET' ? undefined : {})).statusCode).toBe(403)
  })

  // Resending an invoice moves no money, so support may do it (decision 39).
  const ofSupport = 'POST /api/admin/invoices/{id}/emails'
  const writes = calls.filter((one) => one.access === 'admin' && one.method !== 'GET' && one.key !== ofSupport)
  test.each(writes)('$key is for staff whose duty is billing', async ({ method, path }) => {
    const answer = await call(method, path, `${userId}support`, {})
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'insufficient_role'])
  })

  test.each(calls.filter((one) => one.path.includes('2000000000') && one.method === 'GET'))(
    '$key answers 404 for what does not exist',
    async ({ path }) => {
      expect((await call('GET', path, staff)).statusCode).toBe(404)
    },
  )
})

describe('prices', () => {
  const swift = () => ensureSwift(db)
  beforeEach(swift)

  test('take effect from their moment on, in the catalogue and for routers that run', async () => {
    const price = { product: 'router:swift', hourlyPrice: 4, monthlyPrice: 1990 }
    const later = new Date('2026-03-02T12:00:00Z')
    const added = await call('POST', '/api/admin/prices', staff, { ...price, effectiveFrom: later.toISOString() })
    expect(added.statusCode).toBe(201)
    await addUsagePeriod(db, userId, { startedAt: new Date('2026-03-02T10:00:00Z') })
    await testApp.work('prices')
    expect(await swift()).toMatchObject({ hourly_price: 2 })
    clock.set('2026-03-02T14:00:00Z')
    await testApp.work('prices')
    expect(await swift()).toMatchObject({ hourly_price: 4, monthly_price: 1990 })
    const overview = (await call('GET', '/api/billing', userId)).json<BillingOverview>()
    expect(overview.month.lines.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
      [2, 2],
      [2, 4],
    ])
    expect((await call('DELETE', `/api/admin/prices/${added.json<{ id: number }>().id}`, staff)).statusCode).toBe(409)
  })

  test('cannot begin in the past, and name what is for sale', async () => {
    const price = { product: 'router:swift', hourlyPrice: 4, monthlyPrice: 1990 }
    const past = await call('POST', '/api/admin/prices', staff, { ...price, effectiveFrom: '2026-03-01T00:00:00Z' })
    expect(past.statusCode).toBe(422)
    expect((await call('POST', '/api/admin/prices', staff, { ...price, product: 'router:dodo' })).statusCode).toBe(422)
    expect((await call('POST', '/api/admin/prices', staff, { ...price, product: 'transit' })).statusCode).toBe(422)
  })
})

describe('settings', () => {
  test('take no VAT id that cannot be one where the operator is in the Union, and any other where it is not', async () => {
    const change = (body: object) => call('PATCH', '/api/admin/billing/settings', staff, body)
    expect((await change({ country: 'NL', vatId: 'nonsense' })).json().errors).toEqual([
      { field: 'vatId', message: 'is no VAT id of the European Union, such as NL123456789B01' },
    ])
    expect((await change({ country: 'NL', vatId: 'NL 0000.99.998.B57' })).statusCode).toBe(200)
    expect((await change({ country: 'CH', vatId: 'CHE-123.456.788 MWST' })).statusCode).toBe(200)
    await change({ country: null, vatId: null })
  })

  test('keep the steps of dunning in order', async () => {
    const change = (body: object) => call('PATCH', '/api/admin/billing/settings', staff, body)
    const wrong = await change({ warningDays: 20, drainDays: 14 })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json<{ errors: { field: string }[] }>().errors.map((error) => error.field)).toEqual(['drainDays'])
    expect((await change({ chargesTax: true })).statusCode).toBe(422)
    expect((await change({ company: 'Longhaul B.V.', newAccountRouters: 1 })).json()).toMatchObject({
      company: 'Longhaul B.V.',
    })
  })
})

describe('an address', () => {
  test('takes a VAT id of the Union and shows that it is being checked', async () => {
    const change = (body: object) => call('PUT', '/api/billing/address', userId, body)
    expect((await change({ vatId: 'US1234' })).statusCode).toBe(422)
    expect((await change({ company: 'a\nb' })).statusCode).toBe(422)
    expect((await change({ company: 'Kestrel', country: 'nl', vatId: 'nl 123456789 b01' })).json()).toMatchObject({
      country: 'NL',
      vatId: 'NL123456789B01',
      vatStatus: 'PENDING',
    })
    await testApp.work('vat-ids')
    expect((await call('GET', '/api/billing/address', userId)).json()).toMatchObject({ vatStatus: 'VALID' })
  })

  test('stays as it is when nothing in it is changed', async () => {
    const before = (await call('GET', '/api/billing/address', userId)).json()
    for (const change of [{}, { vatId: before.vatId }]) {
      const answer = await call('PUT', '/api/billing/address', userId, change)
      expect([answer.statusCode, answer.json()]).toEqual([200, before])
    }
  })
})

describe('revenue', () => {
  test('is the sum of what each customer is shown, now and at the end of the month', async () => {
    for (const hours of [1, 2, 3]) {
      const id = await addPayer(db)
      await addUsagePeriod(db, id, { startedAt: new Date(+clock.now() - hours * 3_600_000) })
    }
    const revenue = createRevenue({ clock, currency: 'EUR' })
    const { accrued, projected } = await revenue.revenue(db)
    const accounts = (await db.selectFrom('accounts').select('id').execute()).map(({ id }) => id)
    const charges = await revenue.chargesThisBillingCycle(db, accounts)
    expect([...charges.values()].reduce((sum, money) => sum + money.amount, 0)).toBe(accrued.amount)
    const page = (await call('GET', '/api/admin/revenue?limit=500', staff)).json<{
      accrued: number
      projected: number
      lines: { amount: number }[]
    }>()
    expect(page).toMatchObject({ accrued: accrued.amount, projected: projected.amount })
    expect(page.lines.reduce((sum, line) => sum + line.amount, 0)).toBe(accrued.amount)
    expect(projected.amount).toBeGreaterThan(accrued.amount)
  })
})

describe('the month day by day', () => {
  test('leads to what the overview says, and counts no one else', async () => {
    clock.set('2026-03-20T13:30:00Z')
    await addUsagePeriod(db, userId, { startedAt: new Date('2026-03-05T00:00:00Z') })
    await addUsagePeriod(db, await addPayer(db), { startedAt: new Date('2026-03-01T00:00:00Z') })
    const { month } = (await call('GET', '/api/billing', userId)).json<BillingOverview>()
    const { days } = (await call('GET', '/api/billing/days', userId)).json<{
      days: { at: string; accrued: number | null; projected: number | null }[]
    }>()
    expect(month.accrued).toBeGreaterThan(0)
    expect(days).toHaveLength(33)
    // Zero before the router's first day: the other customer's router began four days earlier.
    expect(days.slice(0, 5).map((day) => day.accrued)).toEqual([0, 0, 0, 0, 0])
    expect(days.filter((day) => day.accrued !== null && day.projected !== null)).toEqual([
      { at: '2026-03-20T13:30:00.000Z', accrued: month.accrued, projected: month.accrued },
    ])
    expect(days.at(-1)).toEqual({ at: '2026-04-01T00:00:00.000Z', accrued: null, projected: month.projected })
  })
})

describe('a new account', () => {
  test('is held back from owing much before it has paid an invoice', async () => {
    await call('PATCH', '/api/admin/billing/settings', staff, { newAccountOwed: 10, newAccountRouters: 5 })
    await requireWithinLimits(db, accountIdOf(userId), clock.now())
    await addUsagePeriod(db, userId, { startedAt: new Date(+clock.now() - 5 * 3_600_000) })
    await expect(requireWithinLimits(db, accountIdOf(userId), clock.now())).rejects.toMatchObject({ status: 402 })
  })
})
