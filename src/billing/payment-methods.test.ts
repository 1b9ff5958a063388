import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockAccount, readBillingStatus } from '../accounts/index.ts'
import { createTestProvider } from '../drivers/payments/test/provider.ts'
import { createLocalVatRegistry } from '../drivers/tax/local/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { accountIdOf, lockIsAwaited, testDatabase, idsOf } from '../platform/db/testing.ts'
import { createHttp } from '../platform/http/server.ts'
import { createLog } from '../platform/log.ts'
import type { PaymentMethod } from './contract.ts'
import { billingCustomer } from './customers/customers.ts'
import { billingRoutes } from './routes.ts'

const { db } = await testDatabase()
const log = createLog('silent')
const clock = manualClock('2026-03-02T09:00:00Z')

let app: FastifyInstance
let billed = false
let userId = 0
let otherId = 0

beforeAll(async () => {
  const http = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: 'k'.repeat(32),
    secure: false,
    // The bearer token is the user's id: these tests cover what happens after sign-in.
    authenticate: ({ bearer }) =>
      Promise.resolve(
        bearer
          ? {
              ...idsOf(Number(bearer)),
              email: '',
              isAdmin: false,
              roles: [],
              asnVerifiedAt: null,
              via: 'token',
              sessionId: null,
              scopes: null,
            }
          : null,
      ),
  })
  app = http.app
  billingRoutes(app, {
    db,
    clock,
    payments: createTestProvider(),
    vat: createLocalVatRegistry(new Map()),
    config: { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net' },
    publicUrl: () => 'https://portal.example.net',
    secretKey: 'k'.repeat(32),
    isBilled: () => Promise.resolve(billed),
  })
})

beforeEach(async () => {
  billed = false
  userId = await addUser()
  otherId = await addUser()
})

let users = 0
async function addUser(): Promise<number> {
  const row = {
    email: `payer${users++}@example.net`,
    first_name: 'Pat',
    last_name: 'Payer',
    password_hash: 'none',
    email_verified_at: null,
    last_sign_in_at: null,
    last_sign_in_ip: null,
    closed_at: null,
  }
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const PATH = '/api/account/payment_methods'
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, as = userId) =>
  app.inject({ method, url: path, headers: { authorization: `Bearer ${as}` }, ...(payload && { payload }) })
const add = async (token: string, as = userId) => (await call('POST', PATH, { token }, as)).json<PaymentMethod>()
const list = async (as = userId) => (await call('GET', PATH, undefined, as)).json<PaymentMethod[]>()

describe('payment methods', () => {
  test('start empty, and the first card becomes the default and makes the account chargeable', async () => {
    expect(await list()).toEqual([])
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ mayBeBilled: false })
    const card = await add('pm_card_visa')
    expect(card).toMatchObject({ brand: 'visa', last4: '4242', isDefault: true })
    expect(await list()).toEqual([card])
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ mayBeBilled: true })
  })

  test('a card that a bank refuses is 402, and nothing is kept', async () => {
    const answer = await call('POST', PATH, { token: 'pm_card_refused' })
    expect(answer.statusCode).toBe(402)
    expect(await list()).toEqual([])
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ mayBeBilled: false })
  })

  test('saved twice at once are one', async () => {
    const cards = await Promise.all(Array.from({ length: 8 }, () => add('pm_card_visa')))
    expect(new Set(cards.map((card) => JSON.stringify(card))).size, JSON.stringify(cards)).toBe(1)
    expect(await list()).toHaveLength(1)
  })

  test('saved at once have exactly one default', async () => {
    await Promise.all(
      ['pm_card_visa', 'pm_card_mastercard', 'pm_card_declined', 'pm_card_step'].map((token) => add(token)),
    )
    const cards = await list()
    expect(cards).toHaveLength(4)
    expect(cards.filter((card) => card.isDefault)).toHaveLength(1)
  })

  test('saved at once are saved however often that happens to a new customer', async () => {
    const tokens = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_declined', 'pm_card_step']
    for (let round = 0; round < 40; round++) {
      const id = await addUser()
      const answers = await Promise.all(tokens.map((token) => call('POST', PATH, { token }, id)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(tokens.map(() => 201))
    }
  })

  test('change their default, and removing the default names a successor', async () => {
    const first = await add('pm_card_visa')
    const second = await add('pm_card_mastercard')
    expect((await call('PUT', `${PATH}/${second.id}/default`)).json()).toMatchObject({ id: second.id, isDefault: true })
    expect((await call('DELETE', `${PATH}/${second.id}`)).statusCode).toBe(204)
    expect(await list()).toEqual([{ ...first, isDefault: true }])
  })

  test('keep the last one where something is ordered at the same time', async () => {
    const card = await add('pm_card_visa')
    let removal: ReturnType<typeof call> | undefined
    await db.transaction().execute(async (order) => {
      await lockAccount(order, accountIdOf(userId))
      removal = call('DELETE', `${PATH}/${card.id}`)
      await lockIsAwaited(db)
      billed = true
    })
    expect((await removal!).statusCode).toBe(409)
  })

  test('keep the last one while something is billed, and say why', async () => {
    const card = await add('pm_card_visa')
    billed = true
    const answer = await call('DELETE', `${PATH}/${card.id}`)
    expect(answer.statusCode).toBe(409)
    expect(answer.json<{ detail: string }>().detail).toContain('Add another card first')
    billed = false
    expect((await call('DELETE', `${PATH}/${card.id}`)).statusCode).toBe(204)
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ mayBeBilled: false })
  })

  test('keep the last one while transit is agreed that costs money, also without a router', async () => {
    const card = await add('pm_card_visa')
    await billingCustomer(db, accountIdOf(userId))
    const terms = {
      account_id: accountIdOf(userId),
      currency: 'EUR',
      commit_bps: 0,
      overage_price: 0,
      direction: 'MAX' as const,
    }
    const agree = (day: string, commit_price: number, agreed = true) =>
      db
        .insertInto('transit_contracts')
        .values({ ...terms, effective_from: new Date(day), agreed, commit_price, created_by: null })
        .execute()
    await agree('2026-02-01', 5000)
    expect((await call('DELETE', `${PATH}/${card.id}`)).statusCode).toBe(409)
    await agree('2026-03-01', 0, false)
    expect((await call('DELETE', `${PATH}/${card.id}`)).statusCode).toBe(204)
  })

  test('may be saved again after they were removed', async () => {
    const card = await add('pm_card_visa')
    await call('DELETE', `${PATH}/${card.id}`)
    expect(await add('pm_card_visa')).toMatchObject({ last4: '4242', isDefault: true })
  })

  test("the payment methods of another customer do not exist: not in the list, not by id, in the same words as an absent one's", async () => {
    const card = await add('pm_card_visa', otherId)
    expect(await list()).toEqual([])
    for (const [method, path] of [
      ['DELETE', ''],
      ['PUT', '/default'],
    ] as const) {
      const foreign = await call(method, `${PATH}/${card.id}${path}`)
      const absent = await call(method, `${PATH}/2000000000${path}`)
      const body = (answer: typeof foreign) => answer.json<object>()
      expect(foreign.statusCode).toBe(404)
      expect(body(foreign)).toEqual(body(absent))
    }
    expect(await list(otherId)).toHaveLength(1)
  })

  test('take no card number', async () => {
    expect((await call('POST', PATH, { token: '4242 4242 4242 4242' })).statusCode).toBe(422)
    expect((await call('POST', PATH, { number: '4242424242424242' })).statusCode).toBe(422)
  })

  test('are for people who are signed in', async () => {
    expect((await app.inject({ url: PATH })).statusCode).toBe(401)
  })
})
