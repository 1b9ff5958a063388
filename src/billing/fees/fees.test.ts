import { accountIdOf } from '../../platform/db/testing.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../kernel/endpoint.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { monthOf } from '../charges/period.ts'
import type { BillingApi, Invoice, Price } from '../contract.ts'
import { issueClosingInvoice } from '../invoices/closing.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { createRevenue } from '../revenue/revenue.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { ensureSwift } from '../testing/catalogue.ts'
import { injectCrashes } from '../testing/crash-injection.ts'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'
import { addOneOffCharge } from './one-off-charge.ts'
import { routerPricing, transitSetUp } from './setup-fee.ts'

const testApp = await createBillingTestApp({ now: '2026-03-02T09:00:00Z' })
const { db, call, clock, deps } = testApp
await ensureSwift(db)
let staff = ''
let userId = 0
beforeEach(async () => {
  staff = `${await addPayer(db, { isAdmin: true })}s`
  userId = await addPayer(db)
})

const HOUR_MS = 3_600_000
const set = (body: object) => call('POST', '/api/admin/prices', staff, body)
const invoices = async (of = userId) => (await call('GET', '/api/invoices', of)).json<Invoice[]>()
const fees = async (of = userId) =>
  (await invoices(of)).flatMap((one) => one.lines.filter(({ kind }) => kind === 'FEE'))
const router = (id: number, setupPrice = 2500) => ({
  id,
  accountId: accountIdOf(userId),
  name: `edge${id}`,
  plan: 'swift',
  setupPrice,
})
const { chargeSetUp } = routerPricing({ clock })
const setUp = (id: number, setupPrice?: number) =>
  inTransaction(db, (on) => chargeSetUp(on, router(id, setupPrice), clock.now()))

/** Bills every month up to the current one, including the current one once it is over. */
const endMonth = () => testApp.billMonth(monthOf(clock.now()))

let ids = 0
describe('a setup fee', () => {
  test('is a line of its own on the next invoice, on the account of fees, in what the month costs and in the forecast', async () => {
    await setUp(++ids)
    clock.advance(HOUR_MS)
    const { month } = (await call('GET', '/api/billing', userId)).json<Answer<BillingApi['GET /api/billing']>>()
    expect(month).toMatchObject({ accrued: 2500, projected: 2500 })
    const charges = await createRevenue({ clock, currency: 'EUR' }).chargesThisBillingCycle(db, [accountIdOf(userId)])
    expect(charges.get(accountIdOf(userId))).toEqual({ amount: 2500, currency: 'EUR' })
    await endMonth()
    expect(await fees()).toMatchObject([{ description: `Setup of router edge${ids}`, amount: 2500, quantity: 1 }])
    const [invoice] = await invoices()
    const file = await call('GET', `/api/invoices/${invoice!.id}.csv`, userId)
    expect(file.body).toContain(`Setup of router edge${ids},1,,25.00,25.00,EUR`)
    const { evidence } = await db
      .selectFrom('invoice_lines')
      .select('evidence')
      .where('invoice_id', '=', invoice!.id)
      .executeTakeFirstOrThrow()
    expect(evidence).toEqual({ product: 'setup:router:swift', reference: `setup:router:${ids}` })
    const booked = await db
      .selectFrom('ledger_entries')
      .select('amount')
      .where('account', '=', 'revenue:fees')
      .where('invoice_id', 'is not', null)
      .execute()
    expect(booked).toContainEqual({ amount: -2500 })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('a setup fee that costs nothing is no line', async () => {
    await setUp(++ids, 0)
    expect(
      await db.selectFrom('billing_items').selectAll().where('account_id', '=', accountIdOf(userId)).execute(),
    ).toEqual([])
  })

  test('a setup fee that staff canceled is not charged again when the router is reinstalled', async () => {
    await setUp(++ids)
    const read = async () =>
      (await call('GET', `/api/admin/users/${userId}/billing`, staff)).json<
        Answer<BillingApi['GET /api/admin/users/{id}/billing']>
      >().items
    const [item] = await read()
    expect(item).toMatchObject({ product: 'setup:router:swift', reference: `setup:router:${ids}` })
    expect((await call('DELETE', `/api/admin/billing_items/${item!.id}`, staff)).statusCode).toBe(204)
    await setUp(ids)
    expect((await read()).map((one) => one.cancelledAt !== null)).toEqual([true])
    await endMonth()
    expect(await fees()).toEqual([])
  })

  test('is charged once for each occurrence, whatever is repeated, killed, at once, or invoiced between', async () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('happen' as const), thing: fc.nat(2), times: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant('die' as const), thing: fc.nat(2), after: fc.nat(16) }),
      fc.constant({ do: 'month' as const }),
      fc.constant({ do: 'close' as const }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
        userId = await addPayer(db)
        const first = ids + 1
        ids += 3
        const happened = new Set<number>()
        for (const one of actions) {
          clock.advance(HOUR_MS)
          if (one.do === 'month') await endMonth()
          else if (one.do === 'close')
            await inTransaction(db, (on) => issueClosingInvoice(on, SYSTEM, accountIdOf(userId), clock.now()))
          else if (one.do === 'happen') {
            happened.add(one.thing)
            await Promise.all(Array.from({ length: one.times }, () => setUp(first + one.thing)))
          } else if (await diesWithin(router(first + one.thing), one.after)) happened.add(one.thing)
        }
        clock.advance(HOUR_MS)
        await endMonth()
        await endMonth()
        const charged = (await fees(userId)).map((line) => line.description).toSorted()
        expect(charged).toEqual([...happened].map((thing) => `Setup of router edge${first + thing}`).toSorted())
      }),
      { numRuns: 20 },
    )
    expect(await verifyBooks(db)).toEqual([])
  })
})

/** Returns true if the work finished before the process died. */
async function diesWithin(one: ReturnType<typeof router>, after: number): Promise<boolean> {
  const crashing = injectCrashes(db, deps.payments)
  crashing.live(after)
  return inTransaction(crashing.db, (on) => chargeSetUp(on, one, clock.now())).then(
    () => true,
    () => false,
  )
}

describe('the setup of transit', () => {
  const connection = (madeAt: Date) => ({ id: ++ids, accountId: accountIdOf(userId), madeAt })

  test('costs what the list said when the connection was made, however often its sessions come up', async () => {
    const before = connection(clock.now())
    clock.advance(HOUR_MS)
    expect((await set({ product: 'setup:transit', oneOffPrice: 9900 })).statusCode).toBe(201)
    const after = connection(clock.now())
    clock.advance(HOUR_MS)
    expect((await set({ product: 'setup:transit', oneOffPrice: 19_900 })).statusCode).toBe(201)
    expect(await transitSetUp.price(db, before, clock.now())).toBeNull()
    expect(await transitSetUp.price(db, null, clock.now())).toMatchObject({ amount: 19_900, charged: false })
    expect(await transitSetUp.price(db, after, clock.now())).toMatchObject({ amount: 9900, charged: false })
    for (const one of [before, after, after]) await transitSetUp.charge(db, one, clock.now())
    expect(await transitSetUp.price(db, after, clock.now())).toMatchObject({ amount: 9900, charged: true })
    await endMonth()
    expect(await fees()).toMatchObject([{ description: 'Setup of IP transit', amount: 9900 }])
  })
})

describe('a fee of the list', () => {
  const HANDS = { product: 'fee:remote-hands', name: 'Remote hands, half an hour', oneOffPrice: 4500 }
  const charge = (body: object) => call('POST', `/api/admin/users/${userId}/billing_items`, staff, body)

  test('is read by customers and charged by staff at the price in force, as often as they charge it', async () => {
    expect((await set(HANDS)).statusCode).toBe(201)
    const listed = (await call('GET', '/api/billing/prices', userId)).json<Price[]>()
    expect(listed.find((one) => one.product === HANDS.product)).toMatchObject({ oneOffPrice: 4500, name: HANDS.name })
    for (const _ of [1, 2]) {
      const charged = await charge({ kind: 'FEE', product: HANDS.product, reason: 'Ticket 17' })
      expect(charged.json()).toMatchObject({ description: HANDS.name, amount: 4500, product: HANDS.product })
    }
    await endMonth()
    expect(await fees()).toHaveLength(2)
  })

  test('is made once under its short name: who makes it again changes no price by accident', async () => {
    const fee = { slug: 'rack-visit', name: 'A visit to the rack', oneOffPrice: 9000 }
    const made = await call('POST', '/api/admin/fees', staff, fee)
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({ product: 'fee:rack-visit', name: fee.name, oneOffPrice: 9000 })
    clock.advance(HOUR_MS)
    const again = await call('POST', '/api/admin/fees', staff, { ...fee, oneOffPrice: 1 })
    expect(again.statusCode).toBe(422)
    expect(again.json().errors).toEqual([{ field: 'slug', message: expect.stringContaining('is a fee already') }])
    const versions = (await call('GET', '/api/admin/prices', staff)).json<Price[]>()
    expect(versions.filter((one) => one.product === 'fee:rack-visit').map((one) => one.oneOffPrice)).toEqual([9000])
  })

  test.each([
    [{ kind: 'FEE', product: 'fee:unheard-of' }, 'product'],
    [{ kind: 'CREDIT', product: 'fee:remote-hands' }, 'product'],
    [{ kind: 'FEE', product: 'fee:remote-hands', amount: 1 }, 'amount'],
    [{ kind: 'FEE', amount: 100 }, 'description'],
    [{ kind: 'FEE', description: 'By hand' }, 'amount'],
  ])('refuses %j', async (body, field) => {
    const refused = await charge(body)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toContainEqual({ field, message: expect.any(String) })
  })

  test('may still be written by hand', async () => {
    const charged = await charge({ kind: 'FEE', description: 'A cable', amount: 700 })
    expect(charged.json()).toMatchObject({ description: 'A cable', amount: 700, product: null })
  })
})

describe('the price list', () => {
  test('carries the setup of a plan to the catalogue when its day comes, and no one has to be told', async () => {
    const from = new Date(+clock.now() + HOUR_MS).toISOString()
    const product = 'setup:router:swift'
    const effect = await call('POST', '/api/admin/prices/preview', staff, {
      product,
      oneOffPrice: 900,
      effectiveFrom: from,
    })
    expect(effect.json()).toMatchObject({ customers: 0, raises: true, earliest: clock.now().toISOString() })
    expect((await set({ product, oneOffPrice: 900, effectiveFrom: from })).statusCode).toBe(201)
    const setup = async () =>
      (await db.selectFrom('plans').select('setup_price').where('slug', '=', 'swift').executeTakeFirstOrThrow())
        .setup_price
    await testApp.work('prices')
    expect(await setup()).toBe(0)
    clock.advance(2 * HOUR_MS)
    await testApp.work('prices')
    expect(await setup()).toBe(900)
  })

  test.each([
    [{ product: 'setup:transit' }, 'oneOffPrice'],
    [{ product: 'setup:transit', oneOffPrice: 1, monthlyPrice: 2 }, 'monthlyPrice'],
    [{ product: 'setup:router:dodo', oneOffPrice: 1 }, 'product'],
    [{ product: 'fee:nameless', oneOffPrice: 1 }, 'name'],
    [{ product: 'router:swift' }, 'monthlyPrice'],
    [{ product: 'router:swift', hourlyPrice: 3, monthlyPrice: 0 }, 'monthlyPrice'],
    [{ product: 'router:swift', monthlyPrice: 1, oneOffPrice: 1 }, 'oneOffPrice'],
  ])('refuses %j', async (body, field) => {
    const refused = await set(body)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toContainEqual({ field, message: expect.any(String) })
  })

  test('makes a plan with its setup in one step', async () => {
    const plan = { slug: 'heron', name: 'Heron', cpus: 1, memory: 512, diskSize: 4, hourlyPrice: 2, monthlyPrice: 990 }
    const made = await call('POST', '/api/admin/plans', staff, { ...plan, setupPrice: 1500 })
    expect(made.json()).toMatchObject({ setupPrice: 1500 })
    const versions = (await call('GET', '/api/admin/prices', staff)).json<Price[]>()
    expect(versions.find((one) => one.product === 'setup:router:heron')).toMatchObject({ oneOffPrice: 1500 })
  })

  test('charges nothing for an occurrence without a price', async () => {
    const fee = {
      accountId: accountIdOf(userId),
      product: 'setup:transit',
      reference: 'setup:transit:0',
      description: 'x',
      amount: 0,
    }
    await addOneOffCharge(db, fee, clock.now())
    expect(
      await db.selectFrom('billing_items').select('id').where('account_id', '=', accountIdOf(userId)).execute(),
    ).toEqual([])
  })
})
