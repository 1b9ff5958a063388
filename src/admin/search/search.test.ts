import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../kernel/endpoint.ts'
import type { SearchApi } from './contract.ts'
import { prefixesThatFit } from '../../transit/index.ts'
import { addSites, createStaffTestApp } from '../testing.ts'

const { app, db, addCustomers } = await createStaffTestApp()
let customers: number[]
let router: { id: number; uuid: string }

beforeAll(async () => {
  await addSites(db)
  customers = await addCustomers(8)
  router = await db
    .selectFrom('routers')
    .select(['id', 'uuid'])
    .where('account_id', '=', accountIdOf(customers[0]!))
    .executeTakeFirstOrThrow()
  await sql`insert into address_leases (router_id, pool_id, host_number, address4, address6)
    select ${router.id}, id, 7, '203.0.113.7', '2001:db8:100::7' from address_pools`.execute(db)
  await sql`insert into transit_prefixes (account_id, value, status, announcement_type, check_after)
    values (${accountIdOf(customers[7]!)}, '2d10:10::/32', 'APPROVED', 'ORIGIN', 'infinity')`.execute(db)
  await sql`insert into invoice_series (series, next) values ('LH-2026', 43)`.execute(db)
  await sql`insert into billing_customers (account_id, currency) values (${accountIdOf(customers[1]!)}, 'EUR')`.execute(
    db,
  )
  await sql`insert into invoices (account_id, kind, reason, created_at, status, number, series, serial, currency, period_start, period_end,
      subtotal, tax, total, issued_at, due_at)
    select ${accountIdOf(customers[1]!)}, 'INVOICE', 'MONTHLY', now(), 'OPEN', 'LH-2026-000042', 'LH-2026', 42, 'EUR', '2026-01-01', '2026-02-01',
      100, 0, 100, now(), now()`.execute(db)
})

const search = async (q: string, who: string | null = 'staff') =>
  app.inject({
    url: `/api/admin/search?q=${encodeURIComponent(q)}`,
    headers: who === null ? {} : { authorization: `Bearer ${who}` },
  })
const find = async (q: string) => {
  const response = await search(q)
  expect(response.statusCode, response.body).toBe(200)
  const found: Answer<SearchApi['GET /api/admin/search']> = response.json()
  return {
    users: found.users.map((user) => user.email),
    routers: found.routers.map((one) => one.name),
    prefixes: found.prefixes.map((prefix) => prefix.value),
    invoices: found.invoices.map((invoice) => invoice.number),
  }
}
const NOTHING = { users: [], routers: [], prefixes: [], invoices: [] }

test('words find a person with what is theirs', async () => {
  const found = await find('person-3@')
  expect(found).toEqual({ ...NOTHING, users: ['person-3@example.net'], prefixes: ['45.3.1.0/24', '45.3.0.0/24'] })
})

test('a company finds its customer, under its present name, and what is theirs', async () => {
  const rename = (company: string | null) =>
    db.updateTable('billing_customers').set({ company }).where('account_id', '=', accountIdOf(customers[1]!)).execute()
  await rename('Sandpiper Networks Oy')
  const found = await find('sandpiper net')
  expect(found).toMatchObject({ users: ['person-2@example.net'], prefixes: ['45.2.1.0/24', '45.2.0.0/24'] })
  await rename('Dunlin Oy')
  expect((await find('sandpiper')).users).toEqual([])
  expect((await find('dunlin')).users).toEqual(['person-2@example.net'])
  await rename(null)
  expect((await find('dunlin')).users).toEqual([])
})

test('an ASN finds its holder', async () => {
  expect(await find('AS500104')).toEqual(await find('500104'))
  expect((await find('as500104')).users).toEqual(['person-4@example.net'])
})

test.for([
  ['a router’s name', (): string => 'Router-1'],
  ['an address', (): string => '203.0.113.7'],
  ['an IPv6 address written another way', (): string => '2001:DB8:100:0::7'],
  ['the beginning of an address', (): string => '203.0.113.'],
  ['a prefix around it', (): string => '203.0.112.0/20'],
  ['its UUID', (): string => router.uuid],
  ['the beginning of its UUID', (): string => router.uuid.slice(0, 13).toUpperCase()],
] as const)('%s finds the router', async ([, text]) => {
  expect((await find(text())).routers).toEqual(['router-1'])
})

test('a prefix finds those that it contains and those that contain it', async () => {
  expect((await find('45.2.0.0/16')).prefixes).toEqual(['45.2.1.0/24', '45.2.0.0/24'])
  expect((await find('45.2.1.128/25')).prefixes).toEqual(['45.2.1.0/24'])
  expect((await find('45.2.1.9')).prefixes).toEqual(['45.2.1.0/24'])
})

/** Customer n has 45.n.0.0/24 and 45.n.1.0/24; one has 2d10:10::/32. */
test.for([
  ['2d10:10::/32', '2d10:10::/32'],
  ['45.3.1.0/24', '45.3.1.0/24'],
] as const)('%s is found at each moment while someone types it', async ([whole, found]) => {
  for (let length = 1; length <= whole.length; length++) {
    const typed = whole.slice(0, length)
    // The search returns only five of each kind, so a short input gets the newest. The list has all matches.
    const listed = await prefixesThatFit(db, { search: typed }).list({ first: 100 })
    expect({ typed, listed: listed.map(({ value }) => value) }).toMatchObject({
      typed,
      listed: expect.arrayContaining([found]) as unknown,
    })
  }
})

test.for(['2', '203', '203.0.1', '203.0.113', '203.0.113.', '203.0.113.7', '203/8', '2001:db8:1', '2001:db8:100::'])(
  'the router of an address is found by %s',
  async (typed) => {
    expect((await find(typed)).routers).toContain('router-1')
  },
)

test.each([4, 6])('the beginning of an IPv%i address is looked for in an index of texts', async (family) => {
  const plan = await db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    return sql<object>`explain select router_id from address_leases
      where host(${sql.ref(`address${family}`)}) like '203.0.1%'`.execute(transaction)
  })
  expect(JSON.stringify(plan.rows)).toContain(`address_leases_text${family}`)
})

test('the beginning of a number finds the invoice', async () => {
  expect((await find('lh-2026-0000')).invoices).toEqual(['LH-2026-000042'])
})

test('of each kind come the newest five, with their owners', async () => {
  const body = (await search('example')).json()
  expect(body.users.map(({ id }: { id: number }) => id)).toEqual(customers.toReversed().slice(0, 5))
  expect(body.users[0].asn).toBe(500_108)
  expect(body.prefixes[0].user).toEqual({
    id: customers[7],
    email: 'person-8@example.net',
    firstName: 'Ann',
    lastName: 'Example 8',
  })
})

test.for(['%', '_____', "' or 1=1 --", '45.2.0.0/999', '::', '😀'])(
  '%j finds nothing and breaks nothing',
  async (q) => {
    expect(await find(q)).toEqual(NOTHING)
  },
)

test.for([
  ['nobody', null, 401],
  ['an unknown token', 'stranger', 401],
  ['a customer', 'customer', 403],
  ['a token made for something else', 'narrow', 403],
  ['staff', 'staff', 200],
] as const)('%s gets %i', async ([, who, status]) => {
  expect((await search('person', who)).statusCode).toBe(status)
})

test.for(['', '   ', 'x'.repeat(101), '\u0000'])('%j is no question', async (q) => {
  expect((await search(q)).statusCode).toBe(422)
})
