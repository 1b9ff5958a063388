import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../kernel/endpoint.ts'
import { SYSTEM } from '../../platform/audit.ts'
import type { BillingApi } from '../contract.ts'
import { addItem } from '../staff/items.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'
import { createRevenue } from './revenue.ts'

const testApp = await createBillingTestApp({ now: '2026-03-01T00:00:00Z' })
const { db, call, clock, work } = testApp
const HOUR_MS = 3_600_000

type Get<K extends keyof BillingApi> = Answer<BillingApi[K]>
let staff = ''
let customers: number[] = []
const get = async <T>(path: string): Promise<T> => (await call('GET', `/api/admin/revenue${path}`, staff)).json<T>()
const months = async () => (await get<Get<'GET /api/admin/revenue/months'>>('/months')).months
const invoicing = () => get<Get<'GET /api/admin/revenue/invoicing'>>('/invoicing')
const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, row) => total + row.amount, 0)

beforeAll(async () => {
  staff = `${await addPayer(db, { isAdmin: true })}s`
  customers = await Promise.all([1, 2, 3].map(() => addPayer(db)))
  const [ann, ben, cas] = customers as [number, number, number]
  const from = (day: number) => new Date(Date.UTC(2026, 2, day))
  await addUsagePeriod(db, ann, { startedAt: from(1) })
  await addUsagePeriod(db, ben, { startedAt: from(10), hourlyPrice: 9, monthlyPrice: 5490 })
  await addUsagePeriod(db, cas, { startedAt: from(3), endedAt: from(5) })
  await addItem(db, SYSTEM, accountIdOf(ben), {
    kind: 'FEE',
    description: 'Setup',
    amount: 2500,
    effective_at: from(12),
  })
})

async function everyCustomer(month: string) {
  const all: Get<'GET /api/admin/revenue/customers'>['customers'] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Get<'GET /api/admin/revenue/customers'> = await get(
      `/customers?month=${month}&limit=1${after && `&after=${after}`}`,
    )
    all.push(...page.customers)
    after = page.next
  }
  return all
}

/** Checks that the month, its customers and its lines have the same sum. */
async function expectOneSum(month: string): Promise<number> {
  const page = await get<Get<'GET /api/admin/revenue'>>(`?month=${month}&limit=500`)
  const own = (await months()).find((one) => one.month === month)!
  const each = await everyCustomer(month)
  expect(sum(page.lines)).toBe(own.accrued)
  expect(page).toMatchObject({ accrued: own.accrued, projected: own.projected })
  expect(page.kinds.reduce((total, kind) => total + kind.projected, 0)).toBe(own.projected)
  for (const field of ['invoiced', 'credited', 'unbilled', 'accrued', 'projected'] as const) {
    expect(
      each.reduce((total, one) => total + one[field], 0),
      field,
    ).toBe(own[field])
  }
  for (const one of each) {
    const lines = (await get<Get<'GET /api/admin/revenue'>>(`?month=${month}&user=${one.id}`)).lines
    expect(sum(lines)).toBe(one.accrued)
  }
  expect(each.map((one) => one.projected)).toEqual(each.map((one) => one.projected).toSorted((a, b) => b - a))
  return own.projected
}

describe('the running month', () => {
  test('is the same sum by month, by customer, by kind, by line and on the dashboard', async () => {
    clock.set('2026-03-20T13:30:00Z')
    const projected = await expectOneSum('2026-03')
    const dashboard = await createRevenue({ clock, currency: 'EUR' }).revenue(db)
    expect(dashboard.projected.amount).toBe(projected)
    const charges = await createRevenue({ clock, currency: 'EUR' }).chargesThisBillingCycle(
      db,
      customers.map(accountIdOf),
    )
    expect([...charges.values()].reduce((total, money) => total + money.amount, 0)).toBe(dashboard.accrued.amount)
  })

  test('grows day by day to what is accrued now, and from there to what is projected', async () => {
    clock.set('2026-03-20T13:30:00Z')
    const { days } = await get<Get<'GET /api/admin/revenue/days'>>('/days')
    const { accrued, projected } = await createRevenue({ clock, currency: 'EUR' }).revenue(db)
    expect(days).toHaveLength(33)
    expect(days[0]).toMatchObject({ at: '2026-03-01T00:00:00.000Z', accrued: 0, projected: null })
    expect(days.filter((day) => day.accrued !== null && day.projected !== null)).toEqual([
      { at: '2026-03-20T13:30:00.000Z', accrued: accrued.amount, projected: accrued.amount },
    ])
    expect(days.at(-1)).toEqual({ at: '2026-04-01T00:00:00.000Z', accrued: null, projected: projected.amount })
    const line = days.map((day) => day.accrued ?? day.projected!)
    expect(line).toEqual(line.toSorted((a, b) => a - b))
    // The setup fee charged on the twelfth counts on the thirteenth, not before.
    expect(line[12]! - line[11]!).toBeGreaterThan(2500)
  })

  test('keeps what a customer who left was invoiced already', async () => {
    const leaver = await addPayer(db)
    clock.set('2026-03-21T00:00:00Z')
    await addUsagePeriod(db, leaver, { startedAt: new Date('2026-03-20T00:00:00Z'), endedAt: clock.now() })
    const before = await createRevenue({ clock, currency: 'EUR' }).revenue(db)
    expect((await call('POST', '/api/billing/final_invoice', leaver)).statusCode).toBe(201)
    expect(await createRevenue({ clock, currency: 'EUR' }).revenue(db)).toEqual(before)
    await expectOneSum('2026-03')
  })
})

describe('a month that is over', () => {
  test('is computed until its invoices are there, and is what they say from then on', async () => {
    clock.set(new Date(Date.UTC(2026, 3, 1) + HOUR_MS))
    const waiting = await expectOneSum('2026-03')
    expect((await months()).map(({ month, running }) => [month, running])).toEqual([
      ['2026-04', true],
      ['2026-03', true],
    ])
    clock.set(new Date(Date.UTC(2026, 3, 1) + 7 * HOUR_MS))
    await work('invoice-run')
    expect(await expectOneSum('2026-03')).toBe(waiting)
    const [, march] = await months()
    expect(march).toMatchObject({ running: false, invoiced: waiting, unbilled: 0, open: waiting, customers: 4 })
  })

  test('is less by its credit notes, and tells what is given up', async () => {
    const invoices = (await call('GET', '/api/admin/invoices', staff)).json<Get<'GET /api/admin/invoices'>>().invoices
    const [first, second] = invoices as [(typeof invoices)[number], (typeof invoices)[number]]
    const [, before] = await months()
    await call('POST', `/api/admin/invoices/${first.id}/credit_notes`, staff, { reason: 'Outage' })
    await call('POST', `/api/admin/invoices/${second.id}/write_off`, staff, { reason: 'Bankrupt' })
    await expectOneSum('2026-03')
    expect((await months())[1]).toMatchObject({
      credited: -first.total,
      accrued: before!.accrued - first.total,
      open: before!.open - first.total - second.total,
      writtenOff: second.total,
    })
  })

  test('is on the dashboard beside the running one: what is invoiced, credited and not invoiced yet', async () => {
    const { last, running } = await invoicing()
    const [april, march] = await months()
    expect(last).toMatchObject({ month: '2026-03', from: '2026-03-01T00:00:00.000Z' })
    expect(last.amounts).toEqual([
      { currency: 'EUR', invoiced: march!.invoiced, credited: march!.credited, drafted: 0, unbilled: 0 },
    ])
    expect(march!.credited).toBeLessThan(0)
    expect(running).toMatchObject({ month: '2026-04' })
    expect(running.amounts).toEqual([
      { currency: 'EUR', invoiced: 0, credited: 0, drafted: 0, unbilled: april!.unbilled },
    ])
    expect(april!.unbilled).toBeGreaterThan(0)
  })

  test('is a file of the same lines', async () => {
    const { lines, accrued } = await get<Get<'GET /api/admin/revenue'>>('?month=2026-03&limit=500')
    const response = await call('GET', '/api/admin/revenue.csv?month=2026-03', staff)
    expect(response.headers['content-disposition']).toContain('revenue-2026-03.csv')
    const rows = response.body.trimEnd().split('\r\n').slice(1)
    expect(rows).toHaveLength(lines.length)
    const cents = rows.map((row) => Math.round(Number(row.split(',').at(-2)) * 100))
    expect(cents.reduce((total, amount) => total + amount, 0)).toBe(accrued)
  })
})

describe('what is invoiced', () => {
  test('keeps drafts and other currencies apart from what was issued', async () => {
    const before = await invoicing()
    const month = { period_start: new Date('2026-03-01T00:00:00Z'), period_end: new Date('2026-04-01T00:00:00Z') }
    const invoice = { ...month, kind: 'INVOICE', reason: 'MONTHLY', tax: 0, created_at: clock.now() } as const
    const issued = { status: 'PAID', issued_at: clock.now(), due_at: clock.now(), paid_at: clock.now() } as const
    const [first, second] = [await addPayer(db), await addPayer(db)]
    await db
      .updateTable('billing_customers')
      .set({ currency: 'USD' })
      .where('account_id', '=', accountIdOf(second!))
      .execute()
    await db.insertInto('invoice_series').values({ series: 'U', next: 2 }).execute()
    await db
      .insertInto('invoices')
      .values([
        { ...invoice, account_id: accountIdOf(first), currency: 'EUR', status: 'DRAFT', subtotal: 700, total: 700 },
        {
          ...invoice,
          ...issued,
          account_id: accountIdOf(second),
          currency: 'USD',
          subtotal: 900,
          total: 900,
          series: 'U',
          serial: 1,
          number: 'U-1',
        },
      ] as never)
      .execute()
    const { last, running } = await invoicing()
    expect(last.amounts).toEqual([
      { ...before.last.amounts[0], drafted: 700 },
      { currency: 'USD', invoiced: 900, credited: 0, drafted: 0, unbilled: 0 },
    ])
    expect(running).toEqual(before.running)
  })

  test('is for staff who bill: no other role gets it from the server', async () => {
    const path = '/api/admin/revenue/invoicing'
    expect((await call('GET', path, customers[0]!)).statusCode).toBe(403)
    const refused = await call('GET', path, 'support')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'insufficient_role' })
    expect(refused.body).not.toContain('invoiced')
  })
})

test.each(['/api/admin/revenue.csv', '/api/admin/revenue/days.csv', '/api/admin/invoices.csv'])(
  '%s is for staff alone',
  async (path) => {
    expect((await testApp.app.inject({ url: path })).statusCode).toBe(401)
    expect((await call('GET', path, customers[0]!)).statusCode).toBe(403)
    expect((await call('GET', path, staff)).statusCode).toBe(200)
  },
)
