/**
 * Checks the access rules of every endpoint that the contracts name, so that a new endpoint is covered automatically.
 */
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { APIS } from './api-contracts.ts'
import { hasRole, STAFF_ROLES, type StaffRole } from '../kernel/required-role.ts'
import type { Api, Endpoint, EndpointKey } from '../kernel/endpoint.ts'
import { conflict } from '../kernel/problem.ts'
import { SCOPES } from '../kernel/scope.ts'
import { testDatabase, idsOf } from '../platform/db/testing.ts'
import { mount, type Handlers } from '../platform/http/mount.ts'
import { openApiDocument } from '../platform/http/openapi.ts'
import { createHttp } from '../platform/http/server.ts'

const { db } = await testDatabase()
const HTTP = {
  config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
  log: pino({ level: 'silent' }),
  secretKey: 'k'.repeat(32),
  secure: false,
}
const NOBODY = { ...idsOf(1), email: '', via: 'token', sessionId: null, scopes: SCOPES } as const
const { app } = await createHttp({
  ...HTTP,
  // The bearer token is the list of the caller's roles.
  authenticate: async ({ bearer }) => {
    const roles = (bearer ?? '').split('-').filter((word): word is StaffRole => STAFF_ROLES.includes(word as StaffRole))
    const isAdmin = roles.length > 0
    return { ...NOBODY, isAdmin, roles, asnVerifiedAt: null }
  },
})
/** Handlers do nothing: a caller that passes the access checks gets a conflict. */
const reached = new Proxy({}, { get: () => () => Promise.reject(conflict('This was let in.')) })
for (const { area, api } of APIS) mount(app, api, reached as Handlers<Api>, { db, area })

const endpoints = APIS.flatMap(({ api }) => Object.entries(api) as [EndpointKey, Endpoint][])
const staffEndpoints = endpoints.filter(([, { access }]) => access === 'admin')

const ask = async (key: EndpointKey, roles: readonly StaffRole[]) => {
  const [method, path] = key.split(' ') as ['GET', string]
  const url = path.replaceAll(/\{\w+\}/g, '1')
  const authorization = `Bearer ${roles.join('-') || 'customer'}`
  const answer = await app.inject({ method, url, headers: { authorization } })
  return { status: answer.statusCode, problem: answer.json<{ code?: string; detail: string }>() }
}

test('every call that changes something as staff says whose duty it is, and no other call does', () => {
  const wrong = endpoints.filter(([key, { access, requiredRole }]) => {
    const changes = access === 'admin' && !key.startsWith('GET ')
    return changes ? requiredRole === undefined : requiredRole !== undefined && access !== 'admin'
  })
  expect(wrong.map(([key]) => key)).toEqual([])
})

test('what staff may change for a customer, once they raised what they may, is this and nothing else', () => {
  const allowed = endpoints.filter(
    ([key, { access, impersonation }]) => !key.startsWith('GET ') && access !== 'admin' && impersonation === undefined,
  )
  expect(allowed.map(([key]) => key).toSorted()).toEqual([
    'DELETE /api/transit_blackholes/{id}',
    'DELETE /api/transit_connection/drain',
    'DELETE /api/transit_connection/password_change',
    'DELETE /api/transit_connection/shutdown',
    'DELETE /api/transit_prefixes/{id}',
    'DELETE /api/virtual_machines/{id}',
    'PATCH /api/user',
    'PATCH /api/user/mail_preferences',
    'PATCH /api/virtual_machines/{id}',
    'POST /api/transit_blackholes',
    'POST /api/transit_connection/limit_requests',
    'POST /api/transit_connection/password_change/start',
    'POST /api/transit_connection/sessions/{family}/clear',
    'POST /api/transit_prefixes',
    'POST /api/transit_prefixes/bulk',
    'POST /api/transit_prefixes/check',
    'POST /api/transit_prefixes/import',
    'POST /api/transit_prefixes/withdrawals',
    'POST /api/transit_prefixes/{id}/check',
    'POST /api/user/asn_proofs/autnum_token',
    'POST /api/user/asn_proofs/autnum_token/check',
    'POST /api/virtual_machines',
    'POST /api/virtual_machines/actions',
    'POST /api/virtual_machines/{id}/actions',
    'POST /api/virtual_machines/{id}/restore',
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/replay',
    'POST /api/webhooks/{id}/ping',
    'POST /api/webhooks/{id}/replay',
    'PUT /api/billing/address',
    'PUT /api/transit_connection',
    'PUT /api/transit_connection/drain',
    'PUT /api/transit_connection/password_change',
    'PUT /api/transit_connection/sessions/{family}/bfd',
    'PUT /api/transit_connection/shutdown',
  ])
})

test('each of these says in words of its own what the customer reads about it, and no other call does', () => {
  const changes = ([key, { access, impersonation }]: (typeof endpoints)[number]) =>
    !key.startsWith('GET ') && access !== 'admin' && impersonation === undefined
  const wordless = endpoints.filter((call) => changes(call) !== (call[1].auditMessage !== undefined))
  expect(wordless.map(([key]) => key)).toEqual([])
  const words = endpoints.flatMap(([, { auditMessage }]) => auditMessage ?? [])
  expect(new Set(words).size).toBe(words.length)
  for (const auditMessage of words) expect(auditMessage).toMatch(/^[a-z][a-zA-Z ,;]+$/)
})

test('what is done while only looking signs in or out, proves who one is, raises, or ends it', () => {
  const always = endpoints.filter(([, { impersonation }]) => impersonation === 'always')
  expect(always.map(([key]) => key).toSorted()).toEqual([
    'DELETE /api/impersonation',
    'DELETE /api/session',
    'POST /api/impersonation/elevate',
    'POST /api/passkey_requests',
    'POST /api/session',
    'POST /api/session/confirmation',
    'POST /api/session/confirmation/passkey',
    'POST /api/session/passkey',
  ])
})

test('what commits by itself while staff act asks servers outside, and writes what is so without them too', () => {
  const own = endpoints.filter(
    ([, { access, impersonation, transaction }]) => access !== 'admin' && !impersonation && transaction === 'own',
  )
  expect(own.map(([key]) => key).toSorted()).toEqual([
    'POST /api/transit_prefixes/check',
    'POST /api/user/asn_proofs/autnum_token/check',
  ])
})

describe('the same Idempotency-Key', async () => {
  const posts = endpoints.filter(([key]) => key.startsWith('POST '))
  const done: string[] = []
  const counted = new Proxy({}, { get: (_, key) => () => void done.push(String(key)) })
  const { app: keyed } = await createHttp({
    ...HTTP,
    authenticate: async () => ({ ...NOBODY, isAdmin: true, roles: ['owner'], asnVerifiedAt: new Date() }),
  })
  // With any body and no response schema, so that only the access rules of each endpoint are left.
  const plain: Api = Object.fromEntries(
    posts.map(([key, { access, transaction, keyless }]): [EndpointKey, Endpoint] => [
      key,
      { summary: '', access, ok: [204, null], ...(transaction && { transaction }), ...(keyless && { keyless }) },
    ]),
  )
  mount(keyed, plain, counted as Handlers<Api>, { db, area: 'account' })
  const send = async (key: EndpointKey, size: number) => {
    const { statusCode } = await keyed.inject({
      method: 'POST',
      url: key.slice('POST '.length).replaceAll(/\{\w+\}/g, '1'),
      headers: { authorization: 'Bearer any', 'idempotency-key': `for:${key.slice('POST '.length)}` },
      payload: { size },
    })
    return statusCode
  }

  test('is left out of account by what signs in alone, whose answer is a cookie', () => {
    expect(posts.filter(([, { keyless }]) => keyless).map(([key]) => key)).toEqual([
      'POST /api/verify/email',
      'POST /api/session',
      'POST /api/session/passkey',
    ])
  })

  test.each(posts)('does %s once, and with another body not at all', async (key, { keyless }) => {
    const before = done.length
    const answers = [await send(key, 1), await send(key, 1), await send(key, 2)]
    expect({ answers, times: done.length - before }).toEqual(
      keyless ? { answers: [204, 204, 204], times: 3 } : { answers: [204, 204, 422], times: 1 },
    )
  })

  test('is named by the document where it counts, and nowhere else', () => {
    const { paths } = openApiDocument(APIS, { title: 'Longhaul', version: 'test' }) as unknown as {
      paths: Record<string, { post?: { parameters?: { name: string }[] } }>
    }
    for (const [key, { keyless }] of posts) {
      const named = paths[key.slice('POST '.length)]?.post?.parameters?.some(({ name }) => name === 'Idempotency-Key')
      expect.soft(named ?? false, key).toBe(!keyless)
    }
  })
})

describe.each(staffEndpoints)('%s', (key, { requiredRole }) => {
  test('refuses customers', async () => {
    expect(await ask(key, [])).toMatchObject({ status: 403, problem: { detail: 'This call is for staff.' } })
  })

  test.each(STAFF_ROLES)('accepts %s where it has the required role, and else names that role', async (role) => {
    const { status, problem } = await ask(key, [role])
    if (!requiredRole || hasRole([role], requiredRole)) return expect([400, 404, 409, 422]).toContain(status)
    expect({ status, code: problem.code }).toEqual({ status: 403, code: 'insufficient_role' })
    expect(problem.detail.toLowerCase()).toMatch(new RegExp(`^requires the ${requiredRole} (or owner )?role`))
  })
})
