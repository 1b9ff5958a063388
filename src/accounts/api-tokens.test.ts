import { describe, expect, test } from 'vitest'
import { accountsOnTrial, PASSWORD, type Browser } from './testing.ts'

const trial = await accountsOnTrial()
const { addPerson, browser, clock, db, signedIn } = trial
const DAY = 86_400_000

const make = (mine: Browser, change: Record<string, unknown> = {}) =>
  mine.call('POST', '/api/user/api_tokens', { name: 'terraform', password: PASSWORD, ...change })
const bearing = (token: string) => ({
  call: (method: string, url: string, body?: unknown) =>
    browser('198.51.100.44').call(method, url, body, { authorization: `Bearer ${token}` }),
})

describe('a token for a program', () => {
  test('works for its owner without a cookie and without the CSRF header, until it is revoked', async () => {
    const { id, email } = await addPerson()
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

  test('is shown once and stored as a digest', async () => {
    const { id, email } = await addPerson()
    const mine = await signedIn(email)
    const { token } = (await make(mine)).body
    expect((await mine.call('GET', '/api/user/api_tokens')).body[0]).not.toHaveProperty('token')
    const rows = await db.selectFrom('api_tokens').selectAll().where('user_id', '=', id).execute()
    expect(rows[0]?.digest.toString('base64url')).not.toContain(token.slice(4))
    expect(rows[0]?.digest).toHaveLength(32)
  })

  test('is over after the days that it was made for', async () => {
    const { email } = await addPerson()
    const { token } = (await make(await signedIn(email), { expiresInDays: 2 })).body
    clock.advance(2 * DAY - 1)
    expect((await bearing(token).call('GET', '/api/user')).status).toBe(200)
    clock.advance(1)
    expect((await bearing(token).call('GET', '/api/user')).status).toBe(401)
  })

  test('cannot change how its owner signs in, nor make another token', async () => {
    const { email } = await addPerson()
    const program = bearing((await make(await signedIn(email))).body.token)
    const attempts = [
      program.call('POST', '/api/user/api_tokens', { name: 'more', password: PASSWORD }),
      program.call('PUT', '/api/user/password', { currentPassword: PASSWORD, password: 'a new password' }),
      program.call('POST', '/api/user/totp', { password: PASSWORD }),
      program.call('POST', '/api/user/email', { email: 'thief@example.net', password: PASSWORD }),
      program.call('POST', '/api/user/close', { password: PASSWORD }),
      program.call('DELETE', '/api/sessions'),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'session_required' } })
    }
  })

  test('wants the password, a name and a time that ends', async () => {
    const { email } = await addPerson()
    const mine = await signedIn(email)
    expect((await make(mine, { password: 'a guess' })).status).toBe(422)
    expect((await make(mine, { name: '' })).status).toBe(422)
    expect((await make(mine, { expiresInDays: 400 })).status).toBe(422)
    expect((await mine.call('GET', '/api/user/api_tokens')).body).toEqual([])
  })

  test('of another account is as absent as none', async () => {
    const [one, other] = [await addPerson(), await addPerson()]
    const { id } = (await make(await signedIn(other.email))).body
    expect((await (await signedIn(one.email)).call('DELETE', `/api/user/api_tokens/${id}`)).status).toBe(404)
  })
})
