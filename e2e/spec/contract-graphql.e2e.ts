/** Compares the published part of the GraphQL schema with the server's introspection, and tests the rules around it. */
import {
  buildClientSchema,
  getIntrospectionQuery,
  isRequiredArgument,
  parse,
  type GraphQLArgument,
  type IntrospectionQuery,
  type TypeNode,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCaller, signIn, signUp, verifyAsn, type Answer, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'

let staff: Caller
beforeAll(async () => {
  staff = await signIn(testServer.url, 'staff')
})
const ask = (query: string, variables = {}, caller = staff): Promise<Answer> =>
  caller.send('POST', '/api/graphql', { query, variables })

/** Promised to clients; the server may have more. An ASN is an unsigned 32-bit number, which `Int` cannot represent. */
const PUBLISHED = /* GraphQL */ `
  scalar ISO8601DateTime
  scalar ASN
  enum TransitPrefixStatus {
    PENDING
    NEEDS_ACTION
    APPROVED
    REJECTED
    SUSPENDED
    WITHDRAWN
  }
  enum RevenuePeriod {
    MONTHLY
  }
  enum RpkiStatus {
    VALID
    INVALID
    NOT_FOUND
    UNKNOWN
  }
  enum IrrStatus {
    VALID
    INVALID
    NOT_FOUND
    UNKNOWN
  }
  enum AnnouncementType {
    ORIGIN
    DOWNSTREAM
    STATIC
  }
  enum RouterState {
    CREATING
    STARTING
    RUNNING
    STOPPING
    STOPPED
    REBOOTING
    REINSTALLING
    RESIZING
    MIGRATING
    SUSPENDED
    FAILED
    DELETING
  }
  type Query {
    hypervisors: [Hypervisor!]!
    hypervisor(databaseId: Int!): Hypervisor
    users(since: ISO8601DateTime, wantsCustomers: Boolean, search: String, first: Int, after: String): UserConnection!
    user(databaseId: Int!): User
    transitPrefixes(status: TransitPrefixStatus, search: String, first: Int, after: String): TransitPrefixConnection!
    transitPrefix(databaseId: Int!): TransitPrefix
    revenue(period: RevenuePeriod! = MONTHLY): Revenue!
  }
  type UserConnection {
    nodes: [User!]!
    totalCount: Int!
    pageInfo: PageInfo!
  }
  type TransitPrefixConnection {
    nodes: [TransitPrefix!]!
    totalCount: Int!
    pageInfo: PageInfo!
  }
  type RouterConnection {
    nodes: [Router!]!
    totalCount: Int!
    pageInfo: PageInfo!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type Money {
    amount: Int!
    currency: String!
  }
  type User {
    id: ID!
    databaseId: Int!
    email: String!
    firstName: String!
    lastName: String!
    createdAt: ISO8601DateTime!
    lastSignInAt: ISO8601DateTime
    lastSignInIp: String
    hasVerifiedEmail: Boolean!
    hasValidPaymentMethod: Boolean!
    chargesThisBillingCycle: Money!
    ipTransit: IpTransit
    routers: RouterConnection!
  }
  type IpTransit {
    asn: ASN
    asSet: String
    asnVerifiedAt: ISO8601DateTime
    asnVerificationLink: String
    user: User!
    transitableRouter: Router
    prefixes: [TransitPrefix!]!
  }
  type TransitPrefix {
    id: ID!
    databaseId: Int!
    value: String!
    status: TransitPrefixStatus!
    rpkiStatus: RpkiStatus!
    irrStatus: IrrStatus!
    announcementType: AnnouncementType!
    importedAt: ISO8601DateTime
    createdAt: ISO8601DateTime!
    ipTransit: IpTransit!
  }
  type Router {
    id: ID!
    databaseId: Int!
    uuid: ID!
    name: String!
    cpus: Int!
    memory: Int!
    diskSize: Int!
    state: RouterState!
    user: User!
    hypervisor: Hypervisor
  }
  type Hypervisor {
    id: ID!
    databaseId: Int!
    name: String!
    cpuUsage: Float!
    memoryUsage: Float!
    ipv4Usage: Float!
    ipv6Usage: Float!
    site: Site!
    routers(first: Int, after: String): RouterConnection!
  }
  type Site {
    id: ID!
    name: String!
  }
  type Revenue {
    projected: Money!
    accrued: Money!
  }
`

const written = (type: TypeNode): string =>
  type.kind === 'NonNullType'
    ? `${written(type.type)}!`
    : type.kind === 'ListType'
      ? `[${written(type.type)}]`
      : type.name.value

const LOOKS: Readonly<Record<string, RegExp>> = { ASN: /scalar/i, ISO8601DateTime: /scalar/i }

describe('the published schema', () => {
  const published = parse(PUBLISHED).definitions
  let schema: ReturnType<typeof buildClientSchema>
  beforeAll(async () => {
    const { body } = await ask(getIntrospectionQuery())
    schema = buildClientSchema((body as { data: IntrospectionQuery }).data)
  })

  test.each(
    published.map((definition) => [('name' in definition && definition.name?.value) || '', definition] as const),
  )('%s is as promised, or holds more', (name, definition) => {
    const type = schema.getType(name)
    expect(type).toBeDefined()
    if (definition.kind === 'ScalarTypeDefinition') expect(String(type!.constructor.name)).toMatch(LOOKS[name]!)
    if (definition.kind === 'EnumTypeDefinition') {
      const values = 'getValues' in type! ? type.getValues().map((value) => value.name) : []
      expect(values).toEqual(expect.arrayContaining(definition.values!.map((value) => value.name.value)))
    }
    if (definition.kind !== 'ObjectTypeDefinition') return
    const fields = 'getFields' in type! ? type.getFields() : {}
    for (const field of definition.fields ?? []) {
      const known = fields[field.name.value] as {
        type: unknown
        args?: readonly GraphQLArgument[]
      }
      expect.soft(String(known?.type), `${name}.${field.name.value}`).toBe(written(field.type))
      const args = Object.fromEntries((known?.args ?? []).map((arg) => [arg.name, arg]))
      for (const arg of field.arguments ?? []) {
        expect
          .soft(String(args[arg.name.value]?.type), `${name}.${field.name.value}(${arg.name.value})`)
          .toBe(written(arg.type))
      }
      // An argument that clients were not promised must not be required.
      for (const arg of known?.args ?? []) {
        const promised = field.arguments?.some((one) => one.name.value === arg.name)
        if (!promised) expect.soft(isRequiredArgument(arg), `${name}.${field.name.value}(${arg.name})`).toBe(false)
      }
    }
  })
})

describe('who may ask', () => {
  test('staff alone: 401 for no one, 403 for customers, also for introspection', async () => {
    const customer = await signIn(testServer.url, 'customer')
    const newcomer = await signIn(testServer.url, 'newcomer')
    for (const query of ['{ users { totalCount } }', getIntrospectionQuery()]) {
      expect((await ask(query, {}, createCaller(testServer.url))).status).toBe(401)
      expect((await ask(query, {}, customer)).status).toBe(403)
      expect((await ask(query, {}, newcomer)).status).toBe(403)
    }
  })
})

describe('answers', () => {
  test('an ASN above 2^31 is a JSON number', async () => {
    const account = await signUp(testServer, 'large-asn')
    const caller = await signIn(testServer.url, account)
    const { id } = await caller.must<{ id: number }>('GET', '/api/user')
    await caller.must('PUT', '/api/transit_connection', { asn: 4_199_999_999 })
    const answer = await ask('query ($id: Int!) { user(databaseId: $id) { ipTransit { asn } } }', { id })
    expect(answer.body).toEqual({ data: { user: { ipTransit: { asn: 4_199_999_999 } } } })
    expect(answer.text).toContain('"asn":4199999999')
  })

  test('usages are fractions from 0 to 1', async () => {
    const { hypervisors } = await staff.graphql<{ hypervisors: Record<string, number>[] }>(
      '{ hypervisors { cpuUsage memoryUsage ipv4Usage ipv6Usage } }',
    )
    expect(hypervisors.length).toBeGreaterThan(0)
    for (const usage of hypervisors.flatMap((one) => Object.values(one))) {
      expect(usage).toBeGreaterThanOrEqual(0)
      expect(usage).toBeLessThanOrEqual(1)
    }
  })

  test('an id that names nothing is null', async () => {
    const { body } = await ask(
      '{ user(databaseId: 2147483647) { id } transitPrefix(databaseId: 2147483647) { id } hypervisor(databaseId: 2147483647) { id } }',
    )
    expect(body).toEqual({ data: { user: null, transitPrefix: null, hypervisor: null } })
  })

  test('users since a moment, customers only, and by search', async () => {
    const read = (given: string) =>
      staff.graphql<{ users: { totalCount: number; nodes: { email: string }[] } }>(
        `{ users(${given}) { totalCount nodes { email hasValidPaymentMethod } } }`,
      )
    expect((await read('since: "2999-01-01T00:00:00Z"')).users.totalCount).toBe(0)
    const everybody = await read('since: "2000-01-01T00:00:00Z"')
    const customers = await read('wantsCustomers: true')
    expect(customers.users.totalCount).toBeGreaterThan(0)
    expect(customers.users.totalCount).toBeLessThan(everybody.users.totalCount)
    const found = await read('search: "customer@example.net"')
    expect(found.users.nodes.map(({ email }) => email)).toContain('customer@example.net')
  })

  test('prefixes by status', async () => {
    const { transitPrefixes } = await staff.graphql<{ transitPrefixes: { nodes: { status: string }[] } }>(
      '{ transitPrefixes(status: APPROVED) { nodes { status } } }',
    )
    expect(new Set(transitPrefixes.nodes.map(({ status }) => status))).toEqual(new Set(['APPROVED']))
  })

  test('the revenue of the month', async () => {
    const { revenue } = await staff.graphql<{ revenue: object }>(
      '{ revenue { projected { amount currency } accrued { amount currency } } }',
    )
    const money = {
      amount: expect.toSatisfy(Number.isInteger) as number,
      currency: expect.stringMatching(/^[A-Z]{3}$/) as string,
    }
    expect(revenue).toEqual({ projected: money, accrued: money })
  })
})

describe('pages', () => {
  test('first is at most 200, and a page ends where the next begins', async () => {
    expect((await ask('{ users(first: 200) { totalCount } }')).body).toMatchObject({
      data: expect.anything() as unknown,
    })
    for (const first of [201, 0, -1]) {
      const { body } = await ask('query ($first: Int) { users(first: $first) { totalCount } }', { first })
      expect((body as { errors: { message: string }[] }).errors[0]!.message).toContain('200')
    }
    const seen: number[] = []
    let after: string | null = null
    do {
      const {
        users,
      }: {
        users: {
          nodes: { databaseId: number }[]
          totalCount: number
          pageInfo: { hasNextPage: boolean; endCursor: string }
        }
      } = await staff.graphql(
        'query ($after: String) { users(first: 2, after: $after) { nodes { databaseId } totalCount pageInfo { hasNextPage endCursor } } }',
        { after },
      )
      seen.push(...users.nodes.map(({ databaseId }) => databaseId))
      after = users.pageInfo.hasNextPage ? users.pageInfo.endCursor : null
      if (after === null) expect(seen).toHaveLength(users.totalCount)
    } while (after !== null)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('first defaults to 50', async () => {
    const { users } = await staff.graphql<{ users: { nodes: unknown[]; totalCount: number } }>(
      '{ users { nodes { id } totalCount } }',
    )
    expect(users.nodes).toHaveLength(Math.min(users.totalCount, 50))
  })
})

test('of several operations the named one runs', async () => {
  const query = 'query One { users { totalCount } } query Two { hypervisors { id } }'
  const named = await staff.send('POST', '/api/graphql', { query, variables: {}, operationName: 'Two' })
  expect(named.body).toEqual({ data: { hypervisors: expect.any(Array) } })
  expect((await ask(query)).body).toMatchObject({ errors: [expect.anything()] })
})

test('a full page of users may be asked for with everything that hangs on them', async () => {
  const router = 'id databaseId uuid name cpus memory diskSize state user { id email } hypervisor { id name }'
  const prefix = 'id databaseId value status rpkiStatus irrStatus announcementType importedAt createdAt'
  const user = 'id databaseId email firstName lastName createdAt lastSignInAt lastSignInIp hasVerifiedEmail'
  const answer = await ask(`{ users(first: 200) { totalCount pageInfo { hasNextPage endCursor } nodes { ${user}
    hasValidPaymentMethod chargesThisBillingCycle { amount currency }
    ipTransit { asn asSet asnVerifiedAt asnVerificationLink prefixes { ${prefix} } }
    routers { totalCount nodes { ${router} } } } } }`)
  expect((answer.body as { errors?: unknown }).errors).toBeUndefined()
})

describe('limits', () => {
  const deep = `{ users { nodes { ${'routers { nodes { user { '.repeat(12)} id ${'} } }'.repeat(12)} } } }`
  const aliases = `{ ${Array.from({ length: 200 }, (_, index) => `a${index}: users { totalCount }`).join(' ')} }`
  const costly =
    '{ users(first: 200) { nodes { routers { nodes { hypervisor { routers(first: 200) { nodes { user { routers { nodes { id } } } } } } } } } } }'
  test.each([
    ['depth', deep],
    ['aliases', aliases],
    ['cost', costly],
  ])('%s', async (_, query) => {
    const { body } = await ask(query)
    expect((body as { errors: unknown[] }).errors.length).toBeGreaterThan(0)
  })

  test('no batches', async () => {
    const answer = await staff.send('POST', '/api/graphql', [
      { query: '{ users { totalCount } }' },
      { query: '{ users { totalCount } }' },
    ])
    expect(answer.status).toBe(400)
  })
})

test('what a customer may see of itself is what staff see of it', async () => {
  const account = await signUp(testServer, 'seen')
  await verifyAsn(testServer, account, 500_031)
  const caller = await signIn(testServer.url, account)
  const { id } = await caller.must<{ id: number }>('GET', '/api/user')
  const { user } = await staff.graphql<{ user: object }>(
    'query ($id: Int!) { user(databaseId: $id) { email hasVerifiedEmail hasValidPaymentMethod ipTransit { asn asnVerifiedAt prefixes { id } } routers { totalCount } } }',
    { id },
  )
  expect(user).toMatchObject({
    email: account.email,
    hasVerifiedEmail: true,
    hasValidPaymentMethod: false,
    ipTransit: { asn: 500_031, asnVerifiedAt: expect.stringMatching(/Z$/) as string, prefixes: [] },
    routers: { totalCount: 0 },
  })
})
