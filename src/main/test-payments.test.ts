import { afterEach, expect, test } from 'vitest'
import { chooseDrivers } from './choose-drivers.ts'
import { readConfig } from '../platform/config.ts'
import { testDatabase, accountIdOf } from '../platform/db/testing.ts'
import { acceptsTestPayments, lacksPaymentProvider } from './test-payments.ts'
import { addUser } from './testing.ts'

const { db } = await testDatabase()
afterEach(() => db.deleteFrom('users').execute())

const PUBLIC_URL = 'https://portal.example.net'
const live = { STRIPE_SECRET_KEY: 'sk_live_4242' }
const testMode = { STRIPE_SECRET_KEY: 'rk_test_4242' }

test.each<[Record<string, string>, 'starts' | 'refuses', 'test cards' | 'no test cards']>([
  [{}, 'starts', 'test cards'],
  [{ DEMO: 'off' }, 'starts', 'no test cards'],
  [{ DEMO: 'off', PAYMENTS: 'test' }, 'starts', 'test cards'],
  [{ PUBLIC_URL, DEMO: 'on' }, 'starts', 'test cards'],
  [{ PUBLIC_URL, DEMO: 'off' }, 'refuses', 'no test cards'],
  [{ PUBLIC_URL, DEMO: 'off', ...live }, 'starts', 'no test cards'],
  [{ PUBLIC_URL, DEMO: 'off', ...testMode }, 'refuses', 'no test cards'],
  [{ PUBLIC_URL, DEMO: 'off', ...testMode, PAYMENTS: 'test' }, 'starts', 'test cards'],
  [{ PUBLIC_URL, DEMO: 'on', ...testMode }, 'starts', 'test cards'],
  [{ PUBLIC_URL, DEMO: 'off', PAYMENTS: 'test' }, 'starts', 'test cards'],
  [{ PUBLIC_URL: 'http://192.0.2.1:8080', DEMO: 'off' }, 'refuses', 'no test cards'],
  [{ HOST: '0.0.0.0' }, 'refuses', 'no test cards'],
  [{ HOST: '::', PUBLIC_URL: 'http://localhost:8080' }, 'refuses', 'no test cards'],
])('an empty installation with %j %s, with %s', async (env, starts, cards) => {
  const config = readConfig(env, 'r')
  const lack = await lacksPaymentProvider(config, db)
  expect(lack === null ? 'starts' : 'refuses').toBe(starts)
  if (lack !== null)
    expect(lack).toMatch(/^STRIPE_SECRET_KEY: got .*, takes a live secret key of Stripe.*PAYMENTS=test/)
  expect((await acceptsTestPayments(config, db)) ? 'test cards' : 'no test cards').toBe(cards)
})

test('an installation with accounts of its own is no demonstration, also where no one switched DEMO off', async () => {
  await addUser(db, 'robin@example.net')
  const config = readConfig({ PUBLIC_URL }, 'r')
  expect(await lacksPaymentProvider(config, db)).toContain(`PUBLIC_URL is ${PUBLIC_URL}`)
  expect(await acceptsTestPayments(readConfig({}, 'r'), db)).toBe(false)
})

test('a demonstration with a public address starts again with the accounts that it made', async () => {
  await addUser(db, 'staff@example.net')
  expect(await lacksPaymentProvider(readConfig({ PUBLIC_URL }, 'r'), db)).toBeNull()
})

test('without test payments no card is saved, charged or confirmed, not even one of an earlier demonstration', async () => {
  const config = readConfig({ COMPUTE: 'simulated', EDGE: 'simulated', DEMO: 'off' }, 'r')
  const open = (await chooseDrivers(config, 64_500, { testPayments: true })).payments
  const closed = (await chooseDrivers(config, 64_500, { testPayments: false })).payments
  const { customer } = await open.ensureCustomer({ accountId: accountIdOf(1), email: 'a@example.net', name: 'A' })
  const { reference: method } = await open.attach(customer, 'pm_card_visa')
  const charge = { customer, method, amount: 990, currency: 'EUR', description: 'Invoice', idempotencyKey: 'one' }
  const charged = await open.charge(charge)
  expect(charged.status).toBe('succeeded')

  const refused = { kind: 'invalid', message: expect.stringContaining('no payment provider') }
  expect(closed.testCards).toEqual([])
  await expect(closed.createSetup(customer)).rejects.toMatchObject(refused)
  await expect(closed.attach(customer, 'pm_card_visa')).rejects.toMatchObject(refused)
  await expect(closed.charge(charge)).rejects.toMatchObject(refused)
  expect(await closed.findCharge({ customer, reference: charged.reference! })).toBeNull()
})
