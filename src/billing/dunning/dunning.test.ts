import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { readBillingStatus } from '../../accounts/index.ts'
import type { BillingOverview, Invoice } from '../contract.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work } = testApp
const DAY_MS = 86_400_000

let userId = 0
let staffId = 0
beforeEach(async () => {
  userId = await addPayer(db)
  staffId = await addPayer(db, { isAdmin: true })
})

const newInvoice = () => testApp.newInvoice(userId)
const overview = async () => (await call('GET', '/api/billing', userId)).json<BillingOverview>()
const stage = async () => (await overview()).dunning.stage
/** Advances the clock by days and runs the worker every hour. */
async function passDays(days: number): Promise<void> {
  for (let hour = 0; hour < days * 24; hour += 6) {
    clock.advance(6 * 3_600_000)
    await work('dunning')
  }
}

describe('an invoice that no one pays', () => {
  test('leads through every stage to the end, each told to the customer and to staff', async () => {
    const invoice = await newInvoice()
    await passDays(14 - 1)
    expect(await stage()).toBe('CURRENT')
    const seen: [string, string, boolean][] = []
    for (let day = 14; day <= 62; day++) {
      await passDays(1)
      const { transit, suspended } = await readBillingStatus(db, accountIdOf(userId))
      const now = await stage()
      if (seen.at(-1)?.[0] !== now) seen.push([now, transit, suspended])
    }
    expect(seen).toEqual([
      ['CURRENT', 'normal', false],
      ['REMINDED', 'normal', false],
      ['WARNED', 'normal', false],
      ['DRAINED', 'drained', false],
      ['SESSIONS_DOWN', 'closed', false],
      ['SUSPENDED', 'closed', true],
      ['TERMINATED', 'closed', true],
    ])
    const sentEmails = (await testApp.subjectsTo(userId)).filter((subject) => subject.includes(invoice.number!))
    expect(sentEmails).toEqual([
      `Payment reminder: ${invoice.number}`,
      `Last warning: ${invoice.number}`,
      `Your prefixes are announced as a last resort only: ${invoice.number}`,
      `Your transit has been suspended: ${invoice.number}`,
      `Your routers are suspended: ${invoice.number}`,
      `Your service has ended: ${invoice.number}`,
    ])
    expect(await testApp.subjectsTo(staffId)).toHaveLength(6)
  })

  test.each(['REMINDED', 'DRAINED', 'SUSPENDED', 'TERMINATED'])(
    'is forgiven in stage %s as soon as it is paid',
    async (wanted) => {
      const { id } = await newInvoice()
      for (let day = 0; day < 80 && (await stage()) !== wanted; day++) await passDays(1)
      expect(await stage()).toBe(wanted)
      await testApp.addCard(userId)
      await work('charges')
      clock.advance(15 * 60_000)
      await work('dunning')
      expect((await call('GET', `/api/invoices/${id}`, userId)).json()).toMatchObject({ status: 'PAID' })
      expect(await overview()).toMatchObject({ dunning: { stage: 'CURRENT', next: [] }, balance: 0 })
      expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({
        suspended: false,
        transit: 'normal',
        reason: null,
      })
      expect((await testApp.subjectsTo(userId)).at(-1)).toBe('Thank you, your account is paid up')
    },
  )

  test('never skips a warning, even when the worker was away for two months', async () => {
    await newInvoice()
    clock.advance(75 * DAY_MS)
    await work('dunning')
    expect(await stage()).toBe('REMINDED')
    await work('dunning')
    expect(await stage()).toBe('REMINDED')
    clock.advance(DAY_MS)
    await work('dunning')
    expect(await stage()).toBe('WARNED')
  })

  test('costs nothing more once the service has ended', async () => {
    await newInvoice()
    await addUsagePeriod(db, userId, { startedAt: new Date(clock.now()) })
    for (let day = 0; day < 80 && (await stage()) !== 'TERMINATED'; day++) await passDays(1)
    expect((await overview()).month.accrued).toBeGreaterThan(0)
    // Uses its own month, in which no cap hides the added charge.
    clock.advance(40 * DAY_MS)
    expect((await overview()).month.accrued).toBe(0)
  })

  test('presses no one while a bank decides about a dispute', async () => {
    const { id } = await newInvoice()
    await testApp.addCard(userId, 'pm_card_dispute')
    await work('charges', 'provider-events')
    expect((await call('GET', `/api/invoices/${id}`, userId)).json()).toMatchObject({
      status: 'OPEN',
      payments: [{ dispute: 'OPEN' }],
    })
    await passDays(30)
    expect(await stage()).toBe('CURRENT')
  })

  test('is due again from the day that it was due when the bank decides against us', async () => {
    const { id } = await newInvoice()
    await testApp.addCard(userId, 'pm_card_dispute_lost')
    await work('charges', 'provider-events')
    const invoice = async () => (await call('GET', `/api/invoices/${id}`, userId)).json<Invoice>()
    expect(await invoice()).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'OPEN' }] })
    const early = await call('POST', `/api/invoices/${id}/pay`, userId, {})
    expect([early.statusCode, early.json<{ detail: string }>().detail]).toEqual([
      409,
      'Your bank decides about a payment of this invoice: nothing is due until it has.',
    ])
    await work('provider-events', 'charges')
    expect(await invoice()).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'LOST' }] })
    await passDays(16)
    expect(await stage()).toBe('REMINDED')
    const card = await testApp.addCard(userId)
    await call('POST', `/api/invoices/${id}/pay`, userId, { paymentMethodId: card.id })
    clock.advance(15 * 60_000)
    await work('dunning')
    expect(await invoice()).toMatchObject({ status: 'PAID', open: 0 })
    expect(await stage()).toBe('CURRENT')
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is paid as it was when the bank decides for us', async () => {
    const { id } = await newInvoice()
    await testApp.addCard(userId, 'pm_card_dispute_won')
    await work('charges', 'provider-events', 'provider-events')
    expect((await call('GET', `/api/invoices/${id}`, userId)).json()).toMatchObject({
      status: 'PAID',
      open: 0,
      payments: [{ dispute: 'WON' }],
    })
    await passDays(30)
    expect(await stage()).toBe('CURRENT')
    expect(await verifyBooks(db)).toEqual([])
  })
})

test('a step that comes late names the step that comes next, not what the calendar would have had', async () => {
  await newInvoice()
  clock.advance((14 + 16) * DAY_MS)
  await work('dunning')
  expect(await stage()).toBe('REMINDED')
  const { text } = (await testApp.mailsTo(userId)).at(-1)!
  const next = new Date(+clock.now() + DAY_MS).toISOString().slice(0, 10)
  expect(text).toContain(`If it remains unpaid, we send a last warning on ${next}.`)
})
