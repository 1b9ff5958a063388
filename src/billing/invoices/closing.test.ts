import { sql } from 'kysely'
import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import type { Invoice } from '../contract.ts'
import { changeAddress } from '../customers/customers.ts'
import { changeSettings } from '../settings.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'
import { currencyConflict } from './closing.ts'
import { runBatch } from './run-job.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work } = testApp
let userId = 0
beforeEach(async () => {
  userId = await addPayer(db)
})

const obstacle = () => currencyConflict(db, accountIdOf(userId), clock.now())
const final = async () => (await call('POST', '/api/billing/final_invoice', userId)).json<{ invoice: Invoice | null }>()

let months = 0
/** A router that ran for two hours in a month and was deleted. The clock is at the third day of that month. */
async function usedAMonth() {
  const month = monthOf(new Date(Date.UTC(2027, months++, 15)))
  await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: new Date(+month.from + 2 * 3_600_000) })
  clock.set(new Date(+month.from + 2 * 86_400_000))
  return { ...month, after: new Date(+month.to + 7 * 3_600_000) }
}

describe('an account is closed', () => {
  test('an account is closed at once when it never cost anything', async () => {
    expect(await obstacle()).toBeNull()
  })

  test('after the final invoice, once that is paid', async () => {
    await usedAMonth()
    await testApp.addCard(userId)
    expect(await obstacle()).toContain('ask for the final invoice first')
    expect((await final()).invoice).toMatchObject({ reason: 'CLOSING', total: 4 })
    expect(await obstacle()).toContain('Pay your open invoices')
    await work('charges')
    expect(await obstacle()).toBeNull()
    clock.advance(40 * 86_400_000)
    expect(await obstacle()).toBeNull()
    expect((await final()).invoice).toBeNull()
  })

  test('not while its card is declined, until it is paid otherwise or written off', async () => {
    await usedAMonth()
    await testApp.addCard(userId, 'pm_card_declined')
    const { invoice } = await final()
    await work('charges')
    expect(await obstacle()).toContain('Pay your open invoices')
    await call('POST', `/api/admin/invoices/${invoice!.id}/write_off`, '1s', { reason: 'Four cents' })
    expect(await obstacle()).toBeNull()
  })

  test('not while transit is agreed that continues to cost, now or later', async () => {
    await usedAMonth()
    await testApp.addCard(userId)
    const agree = (effectiveFrom: string, agreed: boolean) =>
      call('POST', `/api/admin/users/${userId}/transit_contracts`, '1s', { effectiveFrom, agreed, commitPrice: 5000 })
    const tomorrow = new Date(+clock.now() + 86_400_000).toISOString().slice(0, 10)
    expect((await agree(tomorrow, true)).statusCode).toBe(201)
    await final()
    await work('charges')
    expect(await obstacle()).toContain('transit')
    clock.advance(2 * 86_400_000)
    await final()
    await work('charges')
    expect(await obstacle()).toContain('transit')
    const ends = clock.now().toISOString().slice(0, 10)
    clock.advance(86_400_000)
    expect((await agree(new Date(+new Date(ends) + 86_400_000).toISOString().slice(0, 10), false)).statusCode).toBe(201)
    await final()
    await work('charges')
    expect(await obstacle()).toBeNull()
  })

  test('not before money of its own is back', async () => {
    await usedAMonth()
    await testApp.addCard(userId)
    const { invoice } = await final()
    await work('charges')
    await call('POST', `/api/admin/invoices/${invoice!.id}/credit_notes`, '1s', { reason: 'Outage' })
    expect(await obstacle()).toContain('You have account credit')
    const { payments } = (await call('GET', `/api/invoices/${invoice!.id}`, userId)).json<Invoice>()
    await call('POST', `/api/admin/payments/${payments[0]!.id}/refunds`, '1s', { amount: 4, reason: 'Outage' })
    await work('refunds')
    expect(await obstacle()).toBeNull()
  })

  test('not in the hours in which the invoice of last month is still to come', async () => {
    const month = await usedAMonth()
    clock.set(new Date(+month.to + 3_600_000))
    expect(await obstacle()).toContain('The invoice of last month is being made')
    expect((await call('POST', '/api/billing/final_invoice', userId)).statusCode).toBe(409)
    clock.set(month.after)
    while (!(await runBatch(db, month, clock.now())));
    expect(await obstacle()).toContain('Pay your open invoices')
  })

  test('not while its invoice waits for the registry of VAT ids', async () => {
    await changeSettings(db, SYSTEM, { country: 'NL', charges_tax: true })
    await usedAMonth()
    await changeAddress(db, SYSTEM, accountIdOf(userId), { country: 'DE', vatId: 'DE123456789' }, clock.now())
    testApp.vat.setUnreachable(true)
    expect((await final()).invoice).toMatchObject({ status: 'DRAFT', number: null })
    expect(await obstacle()).toContain('waits for your VAT id')
    testApp.vat.setUnreachable(false)
    clock.advance(3_600_000)
    await work('vat-ids', 'invoice-drafts')
    await testApp.addCard(userId)
    await work('charges')
    expect(await obstacle()).toBeNull()
  })
})

describe('a month with a final invoice', () => {
  const OVERAGE_PRICE = 100
  /** Carries a full gigabit for this many days from a day of the month, on a router of its own. */
  async function carry(month: Interval, firstDay: number, days: number) {
    const startedAt = new Date(+month.from + firstDay * 86_400_000)
    const endedAt = new Date(+startedAt + days * 86_400_000)
    const routerId = await addUsagePeriod(db, userId, { startedAt, endedAt, hourlyPrice: 0, monthlyPrice: 0 })
    await sql`insert into router_slots (router_id, account_id, slot, seconds, rx_bytes, tx_bytes)
      select ${routerId}, ${accountIdOf(userId)}, ${startedAt}::timestamptz + n * interval '5 minutes', 300, 37500000000, 0
        from generate_series(0, ${days * 288 - 1}) n`.execute(db)
    clock.set(endedAt)
  }
  async function agreedMonth(): Promise<Interval> {
    const month = monthOf(new Date(Date.UTC(2028, months++, 15)))
    clock.set(month.from)
    const effectiveFrom = month.from.toISOString().slice(0, 10)
    const terms = { effectiveFrom, commitBps: 0, commitPrice: 0, overagePrice: OVERAGE_PRICE }
    expect((await call('POST', `/api/admin/users/${userId}/transit_contracts`, '1s', terms)).statusCode).toBe(201)
    return month
  }
  const subtotals = async () =>
    (await call('GET', '/api/invoices', userId)).json<Invoice[]>().map(({ reason, subtotal }) => [reason, subtotal])

  test('costs as much as one without, if the customer goes on', async () => {
    const month = await agreedMonth()
    await carry(month, 0, 10)
    const first = (await final()).invoice!.subtotal
    expect(first).toBeLessThan(40_000)
    await carry(month, 10, 1)
    await testApp.billMonth(month)
    expect(await subtotals()).toEqual([
      ['MONTHLY', 1000 * OVERAGE_PRICE - first],
      ['CLOSING', first],
    ])
  })

  test('costs as much as one without, if the account is not closed', async () => {
    const month = await agreedMonth()
    await carry(month, 0, 10)
    const first = (await final()).invoice!.subtotal
    await testApp.billMonth(month)
    expect(await subtotals()).toEqual([
      ['MONTHLY', 1000 * OVERAGE_PRICE - first],
      ['CLOSING', first],
    ])
  })

  test('costs as much as one without, however many were asked for', async () => {
    const month = await agreedMonth()
    for (const day of [0, 2, 4, 6, 8]) {
      await carry(month, day, 2)
      expect((await final()).invoice).not.toBeNull()
    }
    await testApp.billMonth(month)
    expect((await subtotals()).reduce((sum, [, subtotal]) => sum + Number(subtotal), 0)).toBe(1000 * OVERAGE_PRICE)
  })

  test('pays nothing back when the whole month would have cost less', async () => {
    const month = await agreedMonth()
    await carry(month, 0, 1)
    const first = (await final()).invoice!.subtotal
    await testApp.billMonth(month)
    expect(await subtotals()).toEqual([['CLOSING', first]])
  })

  test.each(['before', 'after'])('does not charge again what was credited %s it was billed', async (when) => {
    const month = await agreedMonth()
    await carry(month, 0, 10)
    const invoice = (await final()).invoice!
    const credit = () =>
      call('POST', `/api/admin/invoices/${invoice.id}/credit_notes`, '1s', { reason: 'Outage of the first days' })
    if (when === 'before') expect((await credit()).statusCode).toBe(201)
    await testApp.billMonth(month)
    if (when === 'after') expect((await credit()).statusCode).toBe(201)
    expect((await subtotals()).reduce((sum, [, subtotal]) => sum + Number(subtotal), 0)).toBe(
      1000 * OVERAGE_PRICE - invoice.subtotal,
    )
  })

  test('costs no more once the account is closed', async () => {
    const month = await agreedMonth()
    await carry(month, 0, 10)
    const first = (await final()).invoice!.subtotal
    await db
      .updateTable('users')
      .set({ closed_at: clock.now() })
      .where('id', '=', userId as UserId)
      .execute()
    await testApp.billMonth(month)
    expect(await subtotals()).toEqual([['CLOSING', first]])
  })
})
