import { getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { readDocuments } from '../../scripts/graphql.ts'
import { staffOnTrial } from './testing.ts'

const { ask, send, app } = await staffOnTrial()

const nested = (levels: number): string =>
  Array.from({ length: levels }).reduce<string>((inner) => `user { ipTransit { ${inner} } }`, 'asn')

/** Each fragment spreads the next one twice: 2^30 visits for whoever follows them one by one. */
const bush = (leaf: string): string =>
  Array.from({ length: 30 }, (_, index) => `fragment f${index} on User { ...f${index + 1} ...f${index + 1} }`).join(
    ' ',
  ) + ` fragment f30 on User { ${leaf} }`

const HOSTILE: readonly (readonly [name: string, query: string])[] = [
  ['a chain that leads back and forth', `{ user(databaseId: 1) { ipTransit { ${nested(6)} } } }`],
  ['a hundred aliases', `{ ${Array.from({ length: 100 }, (_, n) => `a${n}: users { totalCount }`).join(' ')} }`],
  [
    'aliases inside introspection',
    `{ ${Array.from({ length: 100 }, (_, n) => `a${n}: __schema { types { name } }`).join(' ')} }`,
  ],
  ['two thousand fields', `{ users { ${'totalCount '.repeat(2_000)} } }`],
  [
    'a fragment that contains itself',
    '{ users { nodes { ...a } } } fragment a on User { ipTransit { user { ...a } } }',
  ],
  [
    'fragments that contain each other',
    '{ users { nodes { ...a } } } fragment a on User { ...b } fragment b on User { ...a }',
  ],
  [
    'a cycle of fragments that nobody uses',
    '{ users { totalCount } } fragment a on User { ...b } fragment b on User { ...a }',
  ],
  ['a bush of fragments', `{ users { nodes { ...f0 } } } ${bush('id')}`],
  ['a bush of fragments around nothing', `{ users { nodes { ...f0 } } } ${bush('...missing')}`],
  [
    'the largest pages inside each other',
    '{ hypervisors { routers(first: 200) { nodes { hypervisor { routers(first: 200) { nodes { id } } } } } } }',
  ],
  [
    'lists without pages inside each other',
    '{ user(databaseId: 1) { ipTransit { prefixes { ipTransit { prefixes { ipTransit { prefixes { id } } } } } } } }',
  ],
  ['a page of a billion', '{ users(first: 1000000000) { nodes { id } } }'],
  ['a page larger than an Int', '{ users(first: 99999999999999) { nodes { id } } }'],
  ['ten thousand directives', `{ users ${'@include(if: true) '.repeat(10_000)} { totalCount } }`],
  ['an unknown directive', '{ users @defer { totalCount } }'],
  ['two operations', 'query A { users { totalCount } } query B { users { totalCount } }'],
  ['a mutation', 'mutation { approve }'],
  ['a subscription', 'subscription { users }'],
  [
    'introspection that goes round in circles',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
  ],
  ['brackets without end', '{ users '.repeat(3_000)],
  ['a list literal without end', `{ users(first: ${'['.repeat(3_000)}) { totalCount } }`],
  ['nothing', ''],
]

test.for(HOSTILE)('%s is refused within a second, and the database is not asked', async ([, query]) => {
  const began = performance.now()
  const { body, status, queries } = await ask(query)
  expect(body.errors, JSON.stringify(body)).toBeDefined()
  expect(body.data ?? null).toBeNull()
  expect(status).toBeLessThan(500)
  expect(queries).toBe(0)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('a batch of operations is refused', async () => {
  const one = { query: '{ users { totalCount } }' }
  const { status, body, queries } = await send('staff', [one, one])
  expect(status).toBe(400)
  expect(body.errors).toBeDefined()
  expect(queries).toBe(0)
})

test('a page size in a variable is bounded as well', async () => {
  const { body } = await ask('query ($n: Int) { users(first: $n) { nodes { id } } }', { n: 5_000 })
  expect(body.errors[0].message).toBe('first: takes a number from 1 to 200')
})

test('a body larger than any operation is refused before it is parsed', async () => {
  expect((await ask(`{ users { totalCount } } #${'x'.repeat(300_000)}`)).status).toBe(413)
})

test('questions by GET are not answered', async () => {
  const url = '/api/graphql?query={users{totalCount}}'
  expect((await app.inject({ method: 'GET', url, headers: { authorization: 'Bearer staff' } })).statusCode).toBe(404)
})

test('the introspection of tools is answered', async () => {
  const { body } = await ask(getIntrospectionQuery())
  expect(body.data.__schema.queryType.name).toBe('Query')
})

test('a list with all that belongs to its users is answered, at its usual page and at the largest', async () => {
  const query = `query ($first: Int) { users(first: $first) { nodes {
    id databaseId email firstName lastName createdAt lastSignInAt lastSignInIp hasVerifiedEmail hasValidPaymentMethod
    chargesThisBillingCycle { amount currency }
    ipTransit { asn asnVerifiedAt asnVerificationLink prefixes { id databaseId value status } }
    routers { nodes { id uuid name cpus memory diskSize state } }
  } } }`
  for (const first of [50, 200]) expect((await ask(query, { first })).body.errors).toBeUndefined()
})

test('every document of the portal is within the limits', async () => {
  const documents = (await readDocuments()).flatMap(({ text }) => [...text.matchAll(/\bgraphql\(\s*`([^`]*)`/g)])
  expect(documents.length).toBeGreaterThan(0)
  for (const [, query] of documents) {
    const { body } = await ask(query!, { id: 1, since: '2026-01-01T00:00:00Z' })
    expect(body.errors, query).toBeUndefined()
  }
})
