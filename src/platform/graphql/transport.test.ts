import { idsOf } from '../db/testing.ts'
import { Writable } from 'node:stream'
import { GraphQLError, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHttp } from '../http/server.ts'
import { createEngine } from './engine.ts'
import { mountGraphql } from './transport.ts'

const lines: { msg: string; reqId?: string; err?: { message: string } }[] = []
const log = pino(
  {},
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)
const { app } = await createHttp({
  config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
  log,
  secretKey: 'k'.repeat(32),
  secure: false,
  authenticate: async () => ({
    ...idsOf(1),
    email: '',
    isAdmin: true,
    roles: ['owner'],
    asnVerifiedAt: null,
    via: 'token',
    sessionId: null,
    scopes: ['staff:read'],
  }),
})
const failing = (fail: () => never) => ({ type: GraphQLString, resolve: fail })
const engine = createEngine({
  log,
  contextFor: () => ({}),
  schema: new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        fault: failing(() => {
          throw new Error('the pool is on fire')
        }),
        denial: failing(() => {
          throw new GraphQLError('There is no such prefix.')
        }),
      },
    }),
  }),
})
mountGraphql(app, async () => engine)

const ask = (query: string, headers = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/graphql',
    headers: { authorization: 'Bearer any', ...headers },
    payload: { query },
  })

test('a fault in a resolver is told in general, and found in the log by the id that the answer carries', async () => {
  const answer = await ask('{ fault }')
  expect(answer.json().errors).toMatchObject([{ message: 'An unexpected error occurred.' }])
  const id = answer.headers['x-request-id']
  expect(id).toMatch(/./)
  expect(lines.find(({ msg }) => msg === 'a GraphQL resolver failed')).toMatchObject({
    reqId: id,
    err: { message: 'the pool is on fire' },
  })
})

test('what a resolver says on purpose is told as it is', async () => {
  expect((await ask('{ denial }')).json().errors).toMatchObject([{ message: 'There is no such prefix.' }])
})

test.each([undefined, {}])(
  'a body without a query is malformed, as any other without what it takes: %j',
  async (payload) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/graphql',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      ...(payload && { payload }),
    })
    expect(answer.json()).toMatchObject({ status: 400, detail: 'The body must be a JSON object with a query.' })
  },
)

test('a request that accepts no JSON gets a problem', async () => {
  const response = await ask('{ denial }', { accept: 'text/html' })
  expect(response.headers['content-type']).toContain('application/problem+json')
  expect(response.json()).toMatchObject({ status: 406, code: 'not_acceptable' })
})

test('an answer is text with its length, which compression takes', async () => {
  const answer = await ask('{ denial }')
  expect(answer.headers['content-type']).toContain('application/json')
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
})
