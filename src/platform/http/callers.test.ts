import { describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import { CSRF_COOKIE } from './csrf.ts'
import { createHttpTestApp } from './testing.ts'

const { app, tokens, csrfOf, countThings } = await createHttpTestApp()

describe('who may call', () => {
  const calls = ['open', 'mine', 'network', 'staff'] as const
  const expected = {
    '': [200, 401, 401, 401],
    'unknown-secret': [200, 401, 401, 401],
    'unverified-secret': [200, 200, 403, 403],
    'customer-secret': [200, 200, 200, 403],
    'staff-secret': [200, 200, 200, 200],
  }
  for (const [secret, statuses] of Object.entries(expected)) {
    test(`is decided before the handler for ${secret || 'an anonymous caller'}`, async () => {
      const got = []
      for (const call of calls) {
        got.push(
          (await app.inject({ url: `/api/${call}`, ...(secret && { cookies: { session: secret } }) })).statusCode,
        )
      }
      expect(got).toEqual(statuses)
    })
  }

  test('is also decided by what a token was made for', async () => {
    const bearing = async (
      scopes: readonly Scope[],
      method: 'GET' | 'HEAD' | 'POST',
      url: string,
      secret = 'customer-secret',
    ) => {
      tokens.scopes = scopes
      const headers = { authorization: `Bearer ${secret}` }
      const payload = method === 'POST' ? { payload: { name: 'by a token', size: 1 } } : {}
      const answer = await app.inject({ method, url, headers, ...payload }).finally(() => (tokens.scopes = SCOPES))
      return [answer.statusCode, answer.statusCode === 403 && answer.body ? answer.json().code : null]
    }
    const refused = [403, 'insufficient_scope']
    expect(await bearing([], 'GET', '/api/mine')).toEqual(refused)
    expect(await bearing(['transit:write', 'staff:write'], 'GET', '/api/mine')).toEqual(refused)
    expect(await bearing(['routers:read'], 'GET', '/api/mine')).toEqual([200, null])
    expect(await bearing(['routers:read'], 'HEAD', '/api/mine')).toEqual([200, null])
    expect(await bearing(['transit:write'], 'HEAD', '/api/mine')).toEqual([403, null])
    expect(await bearing(['routers:read'], 'POST', '/api/things')).toEqual(refused)
    expect(await bearing(['routers:write'], 'GET', '/api/mine')).toEqual([200, null])
    expect(await bearing(['routers:write'], 'POST', '/api/things')).toEqual([201, null])
    expect(await bearing(['routers:write'], 'GET', '/api/staff', 'staff-secret')).toEqual(refused)
    expect(await bearing(['staff:read'], 'GET', '/api/staff', 'staff-secret')).toEqual([200, null])
    expect(await bearing([], 'GET', '/api/open')).toEqual([200, null])
  })

  test('names the missing ASN by a code', async () => {
    const answer = await app.inject({ url: '/api/network', cookies: { session: 'unverified-secret' } })
    expect(answer.json()).toMatchObject({ status: 403, code: 'asn_unverified', detail: 'Verify your ASN first.' })
  })

  test('tells staff who miss it that what they look for is elsewhere', async () => {
    const answer = await app.inject({ url: '/api/network', cookies: { session: 'unproved-staff-secret' } })
    expect(answer.json()).toMatchObject({
      status: 403,
      code: 'asn_unverified',
      detail: expect.stringContaining('Use /api/admin for customer resources'),
    })
  })
})

describe('CSRF', () => {
  const post = (headers: Record<string, string>, secret = 'customer-secret') =>
    app.inject({
      method: 'POST',
      url: '/api/things',
      payload: { name: 'csrf', size: 1 },
      cookies: { session: secret },
      headers,
    })

  test('refuses an unsafe call without the header, with a wrong one, or with that of another session, and nothing happens', async () => {
    const foreign = await csrfOf('other-secret')
    for (const headers of [{}, { 'x-csrf-token': 'wrong' }, { 'x-csrf-token': foreign }]) {
      expect((await post(headers)).statusCode).toBe(403)
    }
    expect(await countThings('csrf')).toBe(0)
  })

  test('gives the cookie again with the refusal, so that the next try has it', async () => {
    const refused = await post({})
    const given = refused.cookies.find(({ name }) => name === CSRF_COOKIE)
    expect((await post({ 'x-csrf-token': given?.value ?? '' })).statusCode).toBe(201)
  })

  test('takes the token of the cookie', async () => {
    expect((await post({ 'x-csrf-token': await csrfOf('customer-secret') })).statusCode).toBe(201)
  })

  test('is not asked of a bearer token, whose cookies are ignored', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things',
      payload: { name: 'bearer', size: 1 },
      cookies: { session: 'other-secret' },
      headers: { authorization: 'Bearer customer-secret' },
    })
    expect(answer.statusCode).toBe(201)
  })

  test('gives an anonymous caller a readable cookie too', async () => {
    const cookie = (await app.inject({ url: '/api/open' })).cookies.find(({ name }) => name === CSRF_COOKIE)
    expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax' })
    expect(cookie).not.toHaveProperty('httpOnly')
  })
})
