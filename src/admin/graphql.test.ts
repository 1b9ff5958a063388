import { accountIdOf } from '../platform/db/testing.ts'
import { sql } from 'kysely'
import { getNamedType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { staffSchema } from './graphql/schema.ts'
import { addSites, CREATED, createStaffTestApp } from './testing.ts'

const testApp = await createStaffTestApp()
const { read, send, ask } = testApp
let customers: number[]

beforeAll(async () => {
  await addSites(testApp.db)
  customers = await testApp.addCustomers(3)
})

const MONEY = '{ amount currency }'
const ROUTER = '{ id databaseId uuid name cpus memory diskSize state user { databaseId } hypervisor { databaseId } }'
const PREFIX = `{
  id databaseId value status rpkiStatus irrStatus announcementType originAsn importedAt flaggedAt createdAt
  holder evidence { kind source strength seen }
  ipTransit { asn user { databaseId } }
}`
const USER = `{
  id databaseId email firstName lastName company isAdmin createdAt lastSignInAt lastSignInIp hasVerifiedEmail
  hasValidPaymentMethod isSuspendedByStaff isSuspendedForDebt chargesThisBillingCycle ${MONEY}
  ipTransit {
    asn asSet asnVerifiedAt asnVerificationLink user { databaseId } transitableRouter { name } prefixes ${PREFIX}
  }
  routers { nodes ${ROUTER} totalCount pageInfo { hasNextPage endCursor } }
}`
const HYPERVISOR = `{
  id databaseId name driver connected drained fault cpuUsage memoryUsage ipv4Usage ipv6Usage site { id name }
  routers { nodes { databaseId } totalCount pageInfo { hasNextPage endCursor } }
}`
const PAGE = 'totalCount pageInfo { hasNextPage endCursor }'
const DOCUMENTS = {
  user: `query ($id: Int!) { user(databaseId: $id) ${USER} }`,
  users: `{ users { nodes { databaseId } ${PAGE} } }`,
  prefix: `query ($id: Int!) { transitPrefix(databaseId: $id) ${PREFIX} }`,
  prefixes: `{ transitPrefixes { nodes { databaseId } ${PAGE} } }`,
  hypervisor: `query ($id: Int!) { hypervisor(databaseId: $id) ${HYPERVISOR} }`,
  hypervisors: '{ hypervisors { name } }',
  revenue: `{ revenue { projected ${MONEY} accrued ${MONEY} } }`,
}

test('these tests read every field of every type', () => {
  const types = new TypeInfo(staffSchema)
  const read = new Set<string>()
  for (const document of Object.values(DOCUMENTS)) {
    visit(
      parse(document),
      visitWithTypeInfo(types, {
        Field: ({ name }) => void read.add(`${getNamedType(types.getParentType())?.name}.${name.value}`),
      }),
    )
  }
  const all = Object.values(staffSchema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : []))
  expect(all.filter((field) => !read.has(field))).toEqual([])
})

test('a user carries identity, standing, transit and routers', async () => {
  const id = customers[0]!
  const { user } = await read(DOCUMENTS.user, { id })
  expect(user).toMatchObject({
    id: `user-${id}`,
    databaseId: id,
    email: 'person-1@example.net',
    firstName: 'Ann',
    lastName: 'Example 1',
    company: null,
    isAdmin: false,
    createdAt: CREATED,
    lastSignInAt: CREATED,
    lastSignInIp: '2001:db8::7',
    hasVerifiedEmail: true,
    hasValidPaymentMethod: true,
    isSuspendedByStaff: false,
    isSuspendedForDebt: false,
    chargesThisBillingCycle: { amount: accountIdOf(id) * 100, currency: 'EUR' },
    ipTransit: {
      asn: 500_101,
      asSet: 'AS-1',
      asnVerifiedAt: CREATED,
      asnVerificationLink: `https://portal.example.net/1/${accountIdOf(id)}`,
      user: { databaseId: id },
      transitableRouter: { name: 'router-1' },
    },
    routers: { totalCount: 1, pageInfo: { hasNextPage: false, endCursor: null } },
  })
  expect(user.ipTransit.prefixes.map((prefix: { status: string }) => prefix.status)).toEqual(['PENDING', 'APPROVED'])
  expect(user.routers.nodes).toEqual([
    {
      id: expect.stringMatching(/^router-\d+$/),
      databaseId: expect.any(Number),
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'router-1',
      cpus: 2,
      memory: 512,
      diskSize: 4,
      state: 'RUNNING',
      user: { databaseId: id },
      hypervisor: { databaseId: expect.any(Number) },
    },
  ])
})

test('a user without a payment method says so', async () => {
  expect((await read(DOCUMENTS.user, { id: customers[1]! })).user.hasValidPaymentMethod).toBe(false)
})

test('a prefix carries its checks, its times and its owner', async () => {
  const { user } = await read(DOCUMENTS.user, { id: customers[0]! })
  const { transitPrefix } = await read(DOCUMENTS.prefix, { id: user.ipTransit.prefixes[1].databaseId })
  expect(transitPrefix).toEqual({
    id: `prefix-${transitPrefix.databaseId}`,
    databaseId: expect.any(Number),
    value: '45.1.0.0/24',
    status: 'APPROVED',
    rpkiStatus: 'VALID',
    irrStatus: 'NOT_FOUND',
    announcementType: 'ORIGIN',
    originAsn: 500_101,
    importedAt: CREATED,
    flaggedAt: CREATED,
    createdAt: CREATED,
    holder: null,
    evidence: null,
    ipTransit: { asn: 500_101, user: { databaseId: customers[0] } },
  })
})

describe('a prefix says who holds its addresses and what proves it', () => {
  const first = async () => {
    const { user } = await read(DOCUMENTS.user, { id: customers[0]! })
    return user.ipTransit.prefixes[1].databaseId as number
  }
  const prefix = async () => (await read(DOCUMENTS.prefix, { id: await first() })).transitPrefix
  const see = async (kind: string, strength: string, expires: string | null) =>
    sql`insert into prefix_evidence (prefix_id, kind, source, strength, seen, observed_at, expires_at)
        values (${await first()}, ${kind}, 'TEST', ${strength}, ${`${kind} seen`}, ${CREATED}, ${expires})`.execute(
      testApp.db,
    )
  const register = async (placeholder: boolean) =>
    sql`insert into prefix_registrations (prefix_id, holder, placeholder, checked_at, next_check_at)
        values (${await first()}, 'Example Networks', ${placeholder}, ${CREATED}, ${CREATED})
        on conflict (prefix_id) do update set placeholder = excluded.placeholder`.execute(testApp.db)

  test('the strongest that has not expired, and what speaks against it before that', async () => {
    await see('route_object', 'medium', null)
    await see('inetnum_remark', 'strong', '2020-03-02T00:00:00Z')
    expect((await prefix()).evidence).toEqual({
      kind: 'route_object',
      source: 'TEST',
      strength: 'medium',
      seen: 'route_object seen',
    })
    await see('roa', 'contradicts', null)
    expect((await prefix()).evidence).toMatchObject({ kind: 'roa', strength: 'contradicts' })
  })

  test('a holder whom the registry names, but not the registry itself', async () => {
    await register(false)
    expect((await prefix()).holder).toBe('Example Networks')
    await register(true)
    expect((await prefix()).holder).toBeNull()
  })
})

test('a hypervisor says how full it is, and whether it is only played', async () => {
  const { hypervisors } = await read('{ hypervisors { databaseId name } }')
  const one = hypervisors.find(({ name }: { name: string }) => name === 'One')
  const { hypervisor } = await read(DOCUMENTS.hypervisor, { id: one.databaseId })
  expect(hypervisor).toMatchObject({
    id: `hypervisor-${one.databaseId}`,
    name: 'One',
    driver: 'simulated',
    connected: true,
    drained: false,
    fault: null,
    cpuUsage: 0.25,
    memoryUsage: 0.5,
    ipv4Usage: 0,
    ipv6Usage: 0,
    site: { id: expect.stringMatching(/^site-\d+$/), name: 'Lab' },
    routers: { totalCount: 3 },
  })
  expect(hypervisor.routers.nodes).toHaveLength(3)
})

test('revenue is what has accrued against what is projected', async () => {
  expect((await read(DOCUMENTS.revenue)).revenue).toEqual({
    projected: { amount: 3_400, currency: 'EUR' },
    accrued: { amount: 1_200, currency: 'EUR' },
  })
})

test.for(['user', 'transitPrefix', 'hypervisor'])('an unknown %s is null and no error', async (field) => {
  expect((await read(`{ ${field}(databaseId: 999999) { id } }`))[field]).toBeNull()
})

describe('lists', () => {
  test('users come by pages, newest first, none twice and none left out', async () => {
    const seen: number[] = []
    let after: string | null = null
    for (let page = 0; page < 10; page++) {
      const { users } = await read(
        'query ($after: String) { users(first: 2, after: $after) { nodes { databaseId } pageInfo { hasNextPage endCursor } } }',
        { after },
      )
      seen.push(...users.nodes.map(({ databaseId }: { databaseId: number }) => databaseId))
      if (!users.pageInfo.hasNextPage) break
      after = users.pageInfo.endCursor
    }
    expect(seen).toEqual(customers.toReversed())
  })

  test.for([
    ['users', 'EMAIL_DESC', 'email'],
    ['users', 'CREATED_ASC', 'databaseId'],
    ['transitPrefixes', 'VALUE_ASC', 'value'],
    ['transitPrefixes', 'VALUE_DESC', 'value'],
  ] as const)('%s come by pages in the order %s, none twice and none left out', async ([list, sort, field]) => {
    const one = `{ ${list}(sort: ${sort}) { nodes { ${field} } } }`
    const whole = (await read(one))[list].nodes.map((node: Record<string, unknown>) => node[field])
    const falls = sort.endsWith('DESC')
    expect(whole).toEqual(whole.toSorted((a: string, b: string) => (a < b === falls ? 1 : -1)))
    expect(whole.length).toBeGreaterThan(2)
    const seen: unknown[] = []
    for (let after = ''; ;) {
      const page = (
        await read(
          `{ ${list}(sort: ${sort}, first: 1${after}) { nodes { ${field} } pageInfo { hasNextPage endCursor } } }`,
        )
      )[list]
      seen.push(...page.nodes.map((node: Record<string, unknown>) => node[field]))
      if (!page.pageInfo.hasNextPage) break
      after = `, after: "${page.pageInfo.endCursor}"`
    }
    expect(seen).toEqual(whole)
  })

  test.for([
    ['since: "2026-03-01T12:00:00Z"', 3],
    ['since: "2026-03-01T12:00:01Z"', 0],
    ['since: "2026-03-01T14:00:00+02:00"', 3],
    ['wantsCustomers: true', 2],
    ['search: "example 2"', 1],
    ['search: "AS500103"', 1],
    ['search: "%"', 0],
  ] as const)('users(%s) finds %i', async ([filter, count]) => {
    expect((await read(`{ users(${filter}) { totalCount nodes { id } } }`)).users).toMatchObject({
      totalCount: count,
      nodes: { length: count },
    })
  })

  test.for(['2026-02-30T00:00:00Z', '2026-03-01T24:00:00Z', '2026-03-01'])(
    'users(since: "%s") is refused',
    async (since) => {
      const { errors } = (await ask(`{ users(since: "${since}") { totalCount } }`)).body
      expect(errors[0].message).toContain('takes a moment')
    },
  )

  test.for([
    ['status: PENDING', 3],
    ['status: REJECTED', 0],
    ['search: "45.2.0.0/16"', 2],
    ['search: "AS500101"', 2],
  ] as const)('transitPrefixes(%s) finds %i', async ([filter, count]) => {
    const { transitPrefixes } = await read(`{ transitPrefixes(${filter}) { totalCount nodes { id } } }`)
    expect(transitPrefixes).toMatchObject({ totalCount: count, nodes: { length: count } })
  })

  test.for([
    'first: 0',
    'first: -1',
    'first: 201',
    'first: 2147483647',
    'after: "nonsense"',
    'after: "aWQ6MSBvciAxPTE"',
  ])('a page of %s is refused in words', async (page) => {
    const { body } = await ask(`{ users(${page}) { nodes { id } } }`)
    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(/^(first|after): takes/),
      extensions: { code: 'BAD_USER_INPUT' },
    })
  })

  const cursor = (text: string) => Buffer.from(text).toString('base64url')
  test.for([
    ['VALUE_ASC', 'id:7'],
    ['VALUE_ASC', 'key:7:no prefix'],
    ['VALUE_ASC', 'key:7:'],
    ['CREATED_ASC', 'key:7:45.2.0.0/24'],
  ])('the order %s refuses the cursor %j in words', async ([sort, text]) => {
    const { body } = await ask(`{ transitPrefixes(sort: ${sort}, after: "${cursor(text!)}") { nodes { id } } }`)
    expect(body.errors[0]).toMatchObject({
      message: 'after: takes the endCursor of an earlier page with the same sort',
      extensions: { code: 'BAD_USER_INPUT' },
    })
  })
})

describe('who may ask', () => {
  const query = { query: '{ users { totalCount } }' }
  test.for([
    ['nobody', null, 401],
    ['an unknown token', 'stranger', 401],
    ['a customer', 'customer', 403],
    ['a token made for something else', 'narrow', 403],
    ['staff', 'staff', 200],
  ] as const)('%s gets %i', async ([, who, status]) => {
    const answer = await send(who, query)
    expect(answer.status).toBe(status)
    if (status !== 200) expect(answer.body.data).toBeUndefined()
  })

  test('a customer learns nothing of the schema', async () => {
    expect((await send('customer', { query: '{ __schema { types { name } } }' })).status).toBe(403)
  })
})

describe('queries to the database', () => {
  const everything = `{ users(first: 50) { nodes ${USER} ${PAGE} } }`

  test('their number does not grow with the number of users', async () => {
    const before = (await read(everything)).taken
    const few = (await read(everything.replace('first: 50', 'first: 1'))).taken
    expect(before).toBe(few)
    expect(before).toBeLessThanOrEqual(14)
  })

  test('nor with the number of prefixes', async () => {
    const list = (first: number) => `{ transitPrefixes(first: ${first}) { nodes ${PREFIX} } }`
    const many = (await read(list(50))).taken
    expect(many).toBe((await read(list(1))).taken)
    expect(many).toBeLessThanOrEqual(5)
  })

  test('nor with the number of hypervisors', async () => {
    const all = (await read(`{ hypervisors ${HYPERVISOR} }`)).taken
    const one = (await read(DOCUMENTS.hypervisor, { id: 1 })).taken
    expect(all).toBeLessThanOrEqual(one + 1)
  })

  test('a count reads no rows', async () => {
    expect((await read('{ users { totalCount } transitPrefixes { totalCount } }')).taken).toBe(2)
    expect((await read('{ hypervisors { routers { totalCount } } }')).taken).toBe(2)
  })
})

test('a fault of ours is told in general words, without its own', async () => {
  await testApp.db.schema.alterTable('transit_prefixes').renameTo('elsewhere').execute()
  try {
    const { body } = await ask(DOCUMENTS.prefixes)
    expect(body.errors[0].message).toBe('An unexpected error occurred.')
    expect(JSON.stringify(body)).not.toContain('transit_prefixes does not exist')
  } finally {
    await testApp.db.schema.alterTable('elsewhere').renameTo('transit_prefixes').execute()
  }
})
