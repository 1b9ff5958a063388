import { getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { readDocuments } from '../../scripts/graphql.ts'
import { HOSTILE_OPERATIONS } from './testing-hostile-operations.ts'
import { createStaffTestApp } from './testing.ts'

const { ask, send, app } = await createStaffTestApp()

test('the hostile set is as large as it says', () => {
  expect(new Set(HOSTILE_OPERATIONS.map(({ query, variables }) => JSON.stringify([query, variables]))).size).toBe(
    HOSTILE_OPERATIONS.length,
  )
  expect(HOSTILE_OPERATIONS.length).toBeGreaterThanOrEqual(200)
})

test.for(HOSTILE_OPERATIONS)(
  '$name is refused before it costs anything, and the database is not asked',
  async (operation) => {
    const began = performance.now()
    const { body, status, queries } = await ask(operation.query, operation.variables)
    expect(body.errors, JSON.stringify(body)).toBeDefined()
    expect(body.data ?? null).toBeNull()
    expect(status).toBeLessThan(500)
    expect(queries).toBe(0)
    expect(performance.now() - began).toBeLessThan(5_000)
  },
)

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
