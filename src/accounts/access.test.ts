import { describe, expect, test } from 'vitest'
import { accountsApi } from './contract.ts'
import { createAccountsTestApp } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, signedIn } = testApp
const customer = await addUser()
const staff = await addUser({ isAdmin: true })

/** Valid bodies, so that the missing permission is the only thing wrong with each request. */
const FITTING: Readonly<Record<string, object>> = {
  'POST /api/admin/users/{id}/asn_verifications': { email: 'noc@example.net' },
  'PUT /api/admin/staff/{id}': { roles: ['support'] },
  'POST /api/admin/users/{id}/notes': { body: 'Called about an invoice.' },
  'POST /api/admin/users/{id}/emails': { email: 'password_reset' },
  'POST /api/admin/users/{id}/sessions/end': { reason: 'They lost their laptop.' },
  'POST /api/admin/users/{id}/suspensions': { reason: 'They send spam.' },
  'POST /api/admin/users/{id}/suspensions/lift': { reason: 'It was closed.' },
  'POST /api/admin/users/{id}/second_factor_resets': {
    reason: 'They lost their phone.',
    identityCheck: 'Video call with passport.',
  },
  'POST /api/admin/users/{id}/second_factor_resets/{resetId}/cancel': { reason: 'They found their phone.' },
  'POST /api/admin/users/{id}/impersonation': { reason: 'They asked for a look at it.' },
}

const calls = Object.entries(accountsApi).map(([key, endpoint]) => {
  const [method, path] = key.split(' ') as [string, string]
  return {
    key,
    method,
    url: path.replace('{id}', String(customer.id)).replace('{resetId}', '1'),
    access: endpoint.access,
    body: 'body' in endpoint,
  }
})
const reaching = (access: string) => calls.filter((call) => call.access === access)

describe('every call', () => {
  test.each([...reaching('session'), ...reaching('admin')])('$key refuses who is not signed in', async (call) => {
    const answer = await browser().call(call.method, call.url, call.body ? {} : undefined)
    expect(answer).toMatchObject({ status: 401, body: { status: 401, title: 'Unauthorized' } })
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  test.each(reaching('admin'))('$key refuses customers', async (call) => {
    const mine = await signedIn(customer.email)
    expect((await mine.call(call.method, call.url, call.body ? {} : undefined)).status).toBe(403)
  })

  test.each(reaching('admin'))('$key lets staff in', async (call) => {
    const mine = await signedIn(staff.email)
    expect((await mine.call(call.method, call.url, call.body ? {} : undefined)).status).not.toBe(403)
    if (!call.key.includes('{id}')) return
    const absent = call.url.replace(String(customer.id), '2147483647')
    const answer = await mine.call(call.method, absent, FITTING[call.key])
    expect(answer.status).toBe(404)
  })

  test.each(calls.filter((call) => call.method !== 'GET' && call.access !== 'public'))(
    '$key wants the CSRF token',
    async (call) => {
      const mine = await signedIn(staff.email)
      const answer = await mine.call(call.method, call.url, call.body ? {} : undefined, { 'x-csrf-token': 'x' })
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf' } })
    },
  )

  test.each(calls.filter((call) => call.body))('$key refuses a field that it does not know', async (call) => {
    const mine = await signedIn(staff.email)
    const answer = await mine.call(call.method, call.url, { surprise: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toContainEqual({ field: 'surprise', message: 'there is no such field' })
  })

  test('ignores a session that comes along with a bearer token', async () => {
    const mine = await signedIn(customer.email)
    expect((await mine.call('GET', '/api/user', undefined, { authorization: 'Bearer nonsense' })).status).toBe(401)
  })
})
