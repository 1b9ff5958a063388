import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { monthOf } from '../charges/period.ts'
import { addItem } from '../staff/items.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { changeSettings } from '../settings.ts'
import { addPayer, addSlot, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'
import type { BillingOverview, Invoice } from '../contract.ts'
import { changeAddress } from '../customers/customers.ts'
import { nextMonth, runBatch } from './run-job.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work, vat } = testApp
const march = new Date('2026-03-01T00:00:00Z')
const SELLER = { company: 'Longhaul B.V.', country: 'NL', charges_tax: true, one_stop_shop: true }

let userId = 0
beforeEach(async () => {
  clock.set('2026-03-02T09:00:00Z')
  vat.setUnreachable(false)
  userId = await addPayer(db)
})

/** Each test uses its own month, so that its run bills nothing of another test. */
let months = 0
function newMonth(): { from: Date; to: Date; after: Date } {
  const month = monthOf(new Date(Date.UTC(2027, months++, 15)))
  return { ...month, after: new Date(month.to.getTime() + 7 * 3_600_000) }
}
const invoicesOf = async (id = userId) => (await call('GET', '/api/invoices', id)).json<Invoice[]>()
const runOf = async (month: { from: Date; to: Date; after: Date }, batch?: number) => {
  clock.set(month.after)
  while (!(await runBatch(db, month, clock.now(), batch)));
}

describe('the monthly run', () => {
  test('waits until the month is over and its traffic has arrived', async () => {
    await addUsagePeriod(db, userId, { startedAt: march })
    expect(await nextMonth(db, new Date('2026-04-01T05:59:59Z'))).toBeNull()
    expect(await nextMonth(db, new Date('2026-04-01T06:00:00Z'))).toMatchObject({ from: march })
    clock.set('2026-04-01T06:00:00Z')
    await work('invoice-run')
    const [invoice] = await invoicesOf()
    expect(invoice).toMatchObject({
      number: 'INV-2026-000001',
      status: 'OPEN',
      currency: 'EUR',
      subtotal: 990,
      total: 990,
      open: 990,
      periodStart: '2026-03-01T00:00:00.000Z',
      periodEnd: '2026-04-01T00:00:00.000Z',
      lines: [
        {
          description: 'Router edge1, Swift',
          quantity: 1,
          unit: 'month',
          unitPrice: 990,
          amount: 990,
          periodStart: '2026-03-01T00:00:00.000Z',
          periodEnd: '2026-04-01T00:00:00.000Z',
        },
      ],
    })
    expect(await nextMonth(db, clock.now())).toBeNull()
  })

  test('bills no one twice: not when run again, not by ten runs at once, not after being killed in the middle', async () => {
    const month = newMonth()
    const users = await Promise.all(Array.from({ length: 25 }, () => addPayer(db)))
    for (const id of users)
      await addUsagePeriod(db, id, { startedAt: month.from, endedAt: new Date(+month.from + 7_200_000) })
    clock.set(month.after)
    // Killed after its work and before the commit.
    await inTransaction(db, async (transaction) => {
      await runBatch(transaction, month, clock.now(), 7)
      throw new Error('killed')
    }).catch(() => undefined)
    await runBatch(db, month, clock.now(), 7)
    await Promise.all(Array.from({ length: 10 }, () => runOf(month, 7)))
    const before = await db.selectFrom('invoices').select('id').execute()
    await runOf(month, 7)
    expect(await db.selectFrom('invoices').select('id').execute()).toEqual(before)
    for (const id of users) expect((await invoicesOf(id)).map((one) => one.total)).toEqual([4])
    expect(await verifyBooks(db)).toEqual([])
  })

  test('charges fees, takes discounts off what runs, and uses credits up without going below nothing', async () => {
    const month = newMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    const at = { effective_at: month.from }
    await addItem(db, SYSTEM, accountIdOf(userId), { kind: 'FEE', description: 'Setup', amount: 500, ...at })
    await addItem(db, SYSTEM, accountIdOf(userId), {
      kind: 'CREDIT',
      description: 'For the outage',
      amount: 5000,
      ...at,
    })
    await call('POST', `/api/admin/users/${userId}/discounts`, '1s', {
      description: 'Friends',
      percent: 10,
      scope: 'ALL',
      startsAt: month.from.toISOString(),
    })
    await runOf(month)
    const [invoice] = await invoicesOf()
    expect(invoice!.lines.map((line) => [line.kind, line.amount])).toEqual([
      ['ROUTER', 990],
      ['DISCOUNT', -99],
      ['FEE', 500],
      ['CREDIT', -1391],
    ])
    expect(invoice).toMatchObject({ total: 0, status: 'PAID' })
    const credit = await db.selectFrom('billing_items').selectAll().where('kind', '=', 'CREDIT').execute()
    expect(credit.find((one) => one.account_id === accountIdOf(userId))).toMatchObject({ amount: 5000, billed: 1391 })
  })

  test('bills the percentile of each version of the terms, and says from which samples', async () => {
    const month = newMonth()
    const middle = new Date(+month.from + 86_400_000)
    for (const [from, commitBps] of [
      [month.from, 0],
      [middle, 10_000_000],
    ] as const)
      await call('POST', `/api/admin/users/${userId}/transit_contracts`, '1s', {
        effectiveFrom: from.toISOString().slice(0, 10),
        commitBps,
        commitPrice: 5000,
        overagePrice: 100,
        direction: 'MAX',
      })
    // On the first day 14 of 288 slots are free, so the fifteenth counts. 3 750 000 bytes in 300 s are 100 kbit/s.
    for (let slot = 0; slot < 15; slot++) {
      const at = new Date(+month.from + slot * 300_000)
      await addSlot(db, userId, 77, at, slot < 14 ? 9_000_000_000 : 3_750_000_000, 5)
    }
    await runOf(month)
    const [invoice] = await invoicesOf()
    const days = (+month.to - +month.from) / 86_400_000
    expect(invoice!.lines.map((line) => [line.kind, line.amount])).toEqual([
      ['COMMIT', Math.round(5000 / days)],
      ['OVERAGE', Math.round((100 * 100) / days)],
      ['COMMIT', Math.round((5000 * (days - 1)) / days)],
    ])
  })

  test('gives numbers without gaps, also when a run fails half-way', async () => {
    const month = newMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from })
    clock.set(month.after)
    await inTransaction(db, async (transaction) => {
      await runBatch(transaction, month, clock.now())
      throw new Error('killed')
    }).catch(() => undefined)
    await runOf(month)
    const rows = await db.selectFrom('invoices').select(['series', 'serial']).where('serial', 'is not', null).execute()
    for (const own of Map.groupBy(rows, (row) => row.series).values()) {
      const serials = own.map((row) => row.serial!).sort((a, b) => a - b)
      expect(serials).toEqual(Array.from({ length: serials.length }, (_, index) => index + 1))
    }
  })
})

describe('a clock that is set', () => {
  test('back bills nothing again, and ahead bills each month once', async () => {
    const [one, two] = [newMonth(), newMonth()]
    await addUsagePeriod(db, userId, { startedAt: one.from, endedAt: new Date(+two.from + 3_600_000) })
    await runOf(one)
    clock.set(new Date(+one.from + 86_400_000))
    while (!(await runBatch(db, one, clock.now())));
    await work('invoice-run', 'charges', 'dunning')
    await runOf(two)
    clock.set(one.from)
    await work('invoice-run', 'invoice-drafts', 'charges', 'dunning')
    expect((await invoicesOf()).map((invoice) => invoice.total)).toEqual([2, 990])
    expect(await verifyBooks(db)).toEqual([])
  })

  test('back into a month that is invoiced already shows nothing as accrued, and closes with no second invoice', async () => {
    const month = newMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await runOf(month)
    clock.set(new Date(+month.from + 10 * 86_400_000))
    const { month: shown } = (await call('GET', '/api/billing', userId)).json<BillingOverview>()
    expect(shown).toMatchObject({ accrued: 0, projected: 0, lines: [] })
    expect((await call('POST', '/api/billing/final_invoice', userId)).json()).toEqual({ invoice: null })
  })
})

describe('an issued invoice', () => {
  const issued = async () => {
    const month = newMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await runOf(month)
    return (await invoicesOf())[0]!
  }

  test('is never changed or removed', async () => {
    const { id } = await issued()
    await expect(
      db.updateTable('invoices').set({ subtotal: 1, total: 1 }).where('id', '=', id).execute(),
    ).rejects.toThrow(/credit note/)
    await expect(db.deleteFrom('invoices').where('id', '=', id).execute()).rejects.toThrow(/credit note/)
  })

  test('is credited in parts until nothing is left, and the books agree', async () => {
    await changeSettings(db, SYSTEM, SELLER)
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'NL' }, clock.now())
    const invoice = await issued()
    const credit = (body: object) =>
      call('POST', `/api/admin/invoices/${invoice.id}/credit_notes`, '1s', { reason: 'Outage', ...body })
    expect(invoice).toMatchObject({ subtotal: 990, tax: 208, total: 1198, taxRule: 'DOMESTIC', taxRate: 21 })
    const first = await credit({ lines: [{ position: 1, amount: 333 }] })
    expect(first.json()).toMatchObject({
      kind: 'CREDIT_NOTE',
      subtotal: -333,
      tax: -70,
      number: expect.stringMatching(/^INVC-/),
    })
    expect((await credit({ lines: [{ position: 1, amount: 658 }] })).statusCode).toBe(422)
    expect((await credit({})).json()).toMatchObject({ subtotal: -657, tax: -138, total: -795 })
    expect((await credit({})).statusCode).toBe(409)
    const after = (await invoicesOf()).find((one) => one.id === invoice.id)
    expect(after).toMatchObject({ status: 'VOID', open: 0, total: 1198 })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is a PDF and a CSV for its owner alone, and absent for everybody else', async () => {
    const { id, number } = await issued()
    const otherUser = await addPayer(db)
    const pdf = await call('GET', `/api/invoices/${id}.pdf`, userId)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(pdf.headers['content-disposition']).toContain(number)
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await call('GET', `/api/invoices/${id}.csv`, userId)).body).toContain('Router edge1')
    for (const path of ['', '.pdf', '.csv', '/pay']) {
      const method = path === '/pay' ? 'POST' : 'GET'
      const foreign = await call(method, `/api/invoices/${id}${path}`, otherUser, method === 'POST' ? {} : undefined)
      expect([path, foreign.statusCode]).toEqual([path, 404])
      expect((await testApp.app.inject({ method, url: `/api/invoices/${id}${path}` })).statusCode).toBe(401)
    }
    expect((await call('GET', `/api/admin/invoices/${id}.pdf`, userId)).statusCode).toBe(403)
    expect((await call('GET', `/api/admin/invoices/${id}.pdf`, `${otherUser}s`)).statusCode).toBe(200)
  })
})

describe('closing', () => {
  test('invoices what the month cost so far, and later months begin where that ended', async () => {
    clock.set('2026-06-10T12:00:00Z')
    await db
      .insertInto('billing_runs')
      .values({ period_start: new Date('2026-05-01T00:00:00Z'), started_at: clock.now(), finished_at: clock.now() })
      .onConflict((clash) => clash.doNothing())
      .execute()
    const routerId = await addUsagePeriod(db, userId, { startedAt: new Date('2026-06-10T00:00:00Z') })
    expect((await call('POST', '/api/billing/final_invoice', userId)).statusCode).toBe(409)
    await db
      .updateTable('router_usage_periods')
      .set({ ended_at: new Date('2026-06-10T11:30:00Z') })
      .where('router_id', '=', routerId)
      .execute()
    const final = await call('POST', '/api/billing/final_invoice', userId)
    expect(final.json()).toMatchObject({
      invoice: { reason: 'CLOSING', subtotal: 24, periodEnd: '2026-06-10T12:00:00.000Z' },
    })
    expect((await call('POST', '/api/billing/final_invoice', userId)).json()).toEqual({ invoice: null })
    await addUsagePeriod(db, userId, {
      startedAt: new Date('2026-06-20T00:00:00Z'),
      endedAt: new Date('2026-06-20T05:00:00Z'),
    })
    clock.set('2026-07-02T00:00:00Z')
    while (!(await runBatch(db, monthOf(new Date('2026-06-15')), clock.now())));
    const amounts = (await invoicesOf()).map((one) => [one.periodStart, one.subtotal])
    expect(amounts).toEqual([
      ['2026-06-10T12:00:00.000Z', 10],
      ['2026-06-01T00:00:00.000Z', 24],
    ])
  })
})

test('each of two customers reads their own invoices, in the list, one by one and as PDF', async () => {
  const other = await addPayer(db)
  const month = newMonth()
  for (const id of [userId, other]) await addUsagePeriod(db, id, { startedAt: month.from, endedAt: month.to })
  await runOf(month)
  const numbers = new Set<string | null>()
  for (const [id, foreign] of [
    [userId, other],
    [other, userId],
  ] as const) {
    const own = await invoicesOf(id)
    const stored = await db.selectFrom('invoices').select('id').where('account_id', '=', accountIdOf(id)).execute()
    expect(own.map((invoice) => invoice.id)).toEqual(stored.map((invoice) => invoice.id))
    expect(own).toHaveLength(1)
    numbers.add(own[0]!.number)
    for (const path of [`/api/invoices/${own[0]!.id}`, `/api/invoices/${own[0]!.id}.pdf`])
      expect([path, (await call('GET', path, foreign)).statusCode]).toEqual([path, 404])
  }
  expect(numbers.size).toBe(2)
  expect(await invoicesOf(await addPayer(db))).toEqual([])
})
