import { describe, expect, test } from 'vitest'
import { authenticateToken } from './api-tokens.ts'
import { createAccountsTestApp, PASSWORD, type Browser } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, emailsTo, signedIn } = testApp
const DAY = 86_400_000

const make = (mine: Browser, change: Record<string, unknown> = {}) =>
  mine.call('POST', '/api/user/api_tokens', { name: 'terraform', scopes: ['account:write'], ...change })
const bearing = (token: string) => ({
  call: (method: string, url: string, body?: unknown) =>
    browser('198.51.100.44').call(method, url, body, { authorization: `Bearer ${token}` }),
})

describe('a token for a program', () => {
  test('works for its owner without a cookie and without the CSRF header, until it is revoked', async () => {
    const { id, email } = await addUser()
    const mine = await signedIn(email)
    const { status, body } = await make(mine)
    expect({ status, name: body.name, lastUsedAt: body.lastUsedAt }).toEqual({
      status: 201,
      name: 'terraform',
      lastUsedAt: null,
    })
    const program = bearing(body.token)
    expect(await program.call('PATCH', '/api/user', { firstName: 'Set by program' })).toMatchObject({
      status: 200,
      body: { id, firstName: 'Set by program' },
    })
    expect((await mine.call('GET', '/api/user/api_tokens')).body).toMatchObject([
      { lastUsedAt: clock.now().toISOString(), lastUsedIp: '198.51.100.44' },
    ])
    expect((await mine.call('DELETE', `/api/user/api_tokens/${body.id}`)).status).toBe(204)
    expect((await program.call('GET', '/api/user')).status).toBe(401)
  })

  test('is emailed to its owner, with what it may do and never with its secret', async () => {
    const { email } = await addUser()
    const { body } = await make(await signedIn(email))
    const sentEmail = (await emailsTo(email)).at(-1)!
    expect(sentEmail.subject).toBe('An API token was created')
    expect(sentEmail.text).toContain('“terraform” has access to account:write until')
    expect(sentEmail.text).not.toContain(body.token)
  })

  test('is shown once and stored as a digest', async () => {
    const { id, email } = await addUser()
    const mine = await signedIn(email)
    const { token } = (await make(mine)).body
    expect((await mine.call('GET', '/api/user/api_tokens')).body[0]).not.toHaveProperty('token')
    const rows = await db.selectFrom('api_tokens').selectAll().where('user_id', '=', id).execute()
    expect(rows[0]?.digest.toString('base64url')).not.toContain(token.slice(4))
    expect(rows[0]?.digest).toHaveLength(32)
  })

  test('is over after the days that it was made for', async () => {
    const { email } = await addUser()
    const { token } = (await make(await signedIn(email), { expiresInDays: 2 })).body
    clock.advance(2 * DAY - 1)
    expect((await bearing(token).call('GET', '/api/user')).status).toBe(200)
    clock.advance(1)
    expect((await bearing(token).call('GET', '/api/user')).status).toBe(401)
  })

  test('is known by its row to what was opened with it, from its networks and until it is over', async () => {
    const { id, email } = await addUser()
    const token = (await make(await signedIn(email), { networks: ['198.51.100.0/24'], expiresInDays: 2 })).body
    const holderAt = (ip: string) =>
      authenticateToken(testApp.deps, token.id, ip, { now: clock.now(), staffSecondFactor: false })
    expect(await holderAt('198.51.100.7')).toMatchObject({ userId: id, via: 'token', tokenId: token.id })
    expect(await holderAt('203.0.113.7')).toBeNull()
    clock.advance(2 * DAY)
    expect(await holderAt('198.51.100.7')).toBeNull()
  })

  test('cannot change how its owner signs in, nor make another token', async () => {
    const { email } = await addUser()
    const program = bearing((await make(await signedIn(email))).body.token)
    const attempts = [
      program.call('POST', '/api/user/api_tokens', { name: 'more', scopes: ['account:read'] }),
      program.call('PUT', '/api/user/password', { password: 'a new password' }),
      program.call('POST', '/api/user/totp', {}),
      program.call('POST', '/api/user/email', { email: 'thief@example.net' }),
      program.call('POST', '/api/user/close', { email }),
      program.call('DELETE', '/api/sessions'),
      program.call('POST', '/api/session/confirmation', { password: PASSWORD }),
      program.call('POST', '/api/user/passkeys/requests', {}),
      program.call('POST', '/api/user/recovery_codes', {}),
      program.call('POST', '/api/user/asn_proofs/peeringdb', {}),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'session_required' } })
    }
  })

  test('wants a name, a scope and a time that ends', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    expect((await make(mine, { scopes: [] })).status).toBe(422)
    expect((await make(mine, { scopes: ['routers:own'] })).status).toBe(422)
    expect((await make(mine, { name: '' })).status).toBe(422)
    expect((await make(mine, { expiresInDays: 400 })).status).toBe(422)
    expect((await mine.call('GET', '/api/user/api_tokens')).body).toEqual([])
  })

  test('a token of another account is indistinguishable from an absent one', async () => {
    const [one, other] = [await addUser(), await addUser()]
    const { id } = (await make(await signedIn(other.email))).body
    expect((await (await signedIn(one.email)).call('DELETE', `/api/user/api_tokens/${id}`)).status).toBe(404)
  })

  test('does what its scopes say and nothing else', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const reader = bearing((await make(mine, { scopes: ['account:read'] })).body.token)
    const otherUser = bearing((await make(mine, { scopes: ['routers:write', 'billing:write'] })).body.token)
    expect((await reader.call('GET', '/api/user')).status).toBe(200)
    for (const answer of [
      await reader.call('PATCH', '/api/user', { firstName: 'X' }),
      await otherUser.call('GET', '/api/user'),
      await otherUser.call('PATCH', '/api/user', { firstName: 'X' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    }
    expect((await mine.call('GET', '/api/user')).body.firstName).toBe('Ann')
  })

  test('gets no scope of staff from a user who is not', async () => {
    const [newUser, staff] = [await addUser(), await addUser({ isAdmin: true })]
    const refused = await make(await signedIn(newUser.email), { scopes: ['staff:read'] })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'scopes' }] } })
    expect((await make(await signedIn(staff.email), { scopes: ['staff:read'] })).status).toBe(201)
  })

  test.each([
    [['198.51.100.0/24', '2001:db8::/32'], 200],
    [['198.51.100.44'], 200],
    [['198.51.100.45'], 401],
    [['2001:db8::/32'], 401],
    [[], 200],
  ])('a token limited to %j, used from 198.51.100.44, is answered %i', async (networks, status) => {
    const { email } = await addUser()
    const { body } = await make(await signedIn(email), { networks })
    expect((await bearing(body.token).call('GET', '/api/user')).status).toBe(status)
  })

  test('knows an IPv4 caller behind a dual-stack socket', async () => {
    const { email } = await addUser()
    const { body } = await make(await signedIn(email), { networks: ['198.51.100.0/24'] })
    const call = browser('::ffff:198.51.100.9').call('GET', '/api/user', undefined, {
      authorization: `Bearer ${body.token}`,
    })
    expect((await call).status).toBe(200)
  })

  test('takes networks in canonical form, and says what is wrong with others', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const taken = await make(mine, { networks: ['192.0.2.7', '2001:DB8:0::/48', '192.0.2.7/32'] })
    expect(taken.body.networks).toEqual(['192.0.2.7/32', '2001:db8::/48'])
    const wrong = await make(mine, { networks: ['192.0.2.1/24', 'here'] })
    expect(wrong.body.errors).toEqual([
      { field: 'networks', message: expect.stringMatching(/192\.0\.2\.0\/24.*here/s) },
    ])
  })
})
