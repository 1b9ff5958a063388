/** The HTTP server with a few endpoints, on its own database. */
import { sql } from 'kysely'
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { conflict } from '../../kernel/problem.ts'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import { byId, pageLimit } from '../../kernel/shapes.ts'
import { idsOf, testDatabase } from '../db/testing.ts'
import { createLog } from '../log.ts'
import { CSRF_COOKIE } from './csrf.ts'
import { LaterResponse, mount } from './mount.ts'
import type { Principal } from './principal.ts'
import { createHttp } from './server.ts'

const users: Record<string, Principal> = {
  'customer-secret': testUser(1, {}),
  'other-secret': testUser(2, {}),
  'token-secret': testUser(1, { via: 'token', sessionId: null, tokenId: 7, scopes: SCOPES }),
  'unverified-secret': testUser(3, { asnVerifiedAt: null }),
  'staff-secret': testUser(4, { isAdmin: true, roles: ['support'] }),
  'unproved-staff-secret': testUser(8, { isAdmin: true, roles: ['support'], asnVerifiedAt: null }),
}
function testUser(userId: number, more: Partial<Principal>): Principal {
  return {
    ...idsOf(userId),
    email: `u${userId}@example.net`,
    isAdmin: false,
    roles: [],
    asnVerifiedAt: new Date(),
    via: 'session',
    sessionId: 1,
    scopes: null,
    ...more,
  }
}

export const api = defineApi({
  'GET /api/open': { summary: 'Anyone', access: 'public', ok: [200, z.object({ who: z.int().nullable() })] },
  'GET /api/mine': { summary: 'Signed in', access: 'session', ok: [200, z.object({ who: z.int() })] },
  'GET /api/network': { summary: 'Verified', access: 'verified', ok: [200, z.object({ who: z.int() })] },
  'GET /api/staff': { summary: 'Staff', access: 'admin', ok: [200, z.object({ who: z.int() })] },
  'GET /api/things/{id}': {
    summary: 'One thing',
    access: 'public',
    params: byId,
    ok: [200, z.object({ id: z.int() })],
  },
  'GET /api/things/{id}.csv': {
    summary: 'One thing as a file',
    access: 'session',
    params: byId,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/found': {
    summary: 'Find things',
    access: 'public',
    query: z.object({ name: z.string(), limit: pageLimit }),
    ok: [200, z.object({ name: z.string(), limit: z.int() })],
  },
  'POST /api/things': {
    summary: 'Make a thing',
    access: 'session',
    body: z.strictObject({ name: z.string().min(1, 'takes at least one character'), size: z.int() }),
    ok: [201, z.object({ made: z.int() })],
  },
  'POST /api/remarks': {
    summary: 'Make a remark, or none',
    access: 'session',
    body: z.strictObject({ remark: z.string().optional() }),
    ok: [200, z.object({ remark: z.string() })],
  },
  'POST /api/secrets': {
    summary: 'Make a secret',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ name: z.string() }),
    ok: [201, z.object({ secret: z.string() })],
  },
  'POST /api/broken': { summary: 'Fails', access: 'public', body: z.strictObject({}), ok: [204, null] },
})

export async function createHttpTestApp() {
  const { db } = await testDatabase()
  /** The scopes of every bearer token. */
  const tokens: { scopes: readonly Scope[] } = { scopes: SCOPES }
  await sql`create table things (id bigint generated always as identity primary key, name text not null)`.execute(db)
  const laterReads: string[] = []
  const { app } = await createHttp({
    config: { RELEASE: 'r42', TRUSTED_PROXIES: [] },
    log: createLog('silent'),
    secretKey: 'k'.repeat(32),
    secure: false,
    authenticate: ({ sessionToken, bearer }) => {
      const found = users[sessionToken ?? bearer ?? ''] ?? null
      return Promise.resolve(
        found && bearer ? { ...found, via: 'token', sessionId: null, scopes: tokens.scopes } : found,
      )
    },
  })
  mount(
    app,
    api,
    {
      'GET /api/open': (_input, { principal }) => ({ who: principal?.userId ?? null, secret: 'never leaves' }),
      'GET /api/mine': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/network': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/staff': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/things/{id}': ({ params }) => ({ id: params.id }),
      'GET /api/things/{id}.csv': ({ params }) => ({ name: 'thing.csv', body: lines(params.id) }),
      'GET /api/found': ({ query }) => query,
      'POST /api/things': async ({ body }, { db: transaction }) => {
        const made = await sql<{ id: number }>`insert into things (name) values (${body.name}) returning id`.execute(
          transaction,
        )
        if (body.name === 'refused') throw conflict('It is not the time.')
        return { made: made.rows[0]!.id }
      },
      'POST /api/remarks': async ({ body }) => {
        if (body.remark !== 'later') return { remark: body.remark ?? 'none' }
        return new LaterResponse((connection) => {
          const when = connection === db ? 'after the commit' : 'in the transaction'
          laterReads.push(when)
          return Promise.resolve({ remark: `read ${when}` })
        })
      },
      'POST /api/secrets': async ({ body }) => {
        await sql`insert into things (name) values (${body.name})`.execute(db)
        if (body.name === 'refused') throw conflict('It is not the time.')
        return { secret: `hush ${crypto.randomUUID()}` }
      },
      'POST /api/broken': () => {
        throw new Error('a secret of our insides')
      },
    },
    {
      db,
      area: 'routers',
      issueChecks: {
        'POST /api/things': ({ name }) =>
          Promise.resolve(name === 'taken' ? [{ field: 'name', message: 'is taken' }] : []),
      },
    },
  )

  const csrfOf = async (secret: string): Promise<string> => {
    const answer = await app.inject({ url: '/api/open', cookies: { session: secret } })
    return answer.cookies.find((cookie) => cookie.name === CSRF_COOKIE)!.value
  }
  const countThings = async (name: string): Promise<number> =>
    Number((await sql<{ n: number }>`select count(*) as n from things where name = ${name}`.execute(db)).rows[0]!.n)

  async function make(
    body: object | undefined,
    headers: Record<string, string> = {},
    secret = 'customer-secret',
    url = '/api/things',
  ) {
    const token = await csrfOf(secret)
    return app.inject({
      method: 'POST',
      url,
      ...(body && { payload: body }),
      cookies: { session: secret },
      headers: { 'x-csrf-token': token, ...headers },
    })
  }

  return { db, app, tokens, laterReads, csrfOf, countThings, make }
}

// oxlint-disable-next-line typescript/require-await -- like what comes from a database, batch by batch
async function* lines(id: number): AsyncGenerator<string> {
  yield 'id\r\n'
  yield `${id}\r\n`
}
