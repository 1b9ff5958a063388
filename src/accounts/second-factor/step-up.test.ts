import { describe, expect, test } from 'vitest'
import { createAccountsTestApp, PASSWORD, type Browser } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, signedIn, tokenTo } = testApp
const MINUTE = 60_000

const confirm = (mine: Browser, password = PASSWORD) => mine.call('POST', '/api/session/confirmation', { password })

/** Requests that an unattended browser must not make. Each is rejected before anything else is checked. */
const MATTERS: [method: string, url: string, body?: object][] = [
  ['PUT', '/api/user/password', { password: 'another good one' }],
  ['POST', '/api/user/email', { email: 'elsewhere@example.org' }],
  ['POST', '/api/user/totp', {}],
  ['PUT', '/api/user/totp', { code: '123456' }],
  ['DELETE', '/api/user/totp'],
  ['POST', '/api/user/recovery_codes', {}],
  ['POST', '/api/user/passkeys/requests', {}],
  ['DELETE', '/api/user/passkeys/1'],
  ['POST', '/api/user/api_tokens', { name: 'x', scopes: ['account:read'] }],
  ['POST', '/api/user/close', { email: 'somebody@example.org' }],
]

describe('what matters', () => {
  test.each(MATTERS)('%s %s wants a proof of the last ten minutes', async (method, url, body) => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    clock.advance(10 * MINUTE)
    expect(await mine.call(method, url, body)).toMatchObject({ status: 403, body: { code: 'confirm_identity' } })
    expect((await confirm(mine)).status).toBe(204)
    clock.advance(10 * MINUTE - 1)
    expect((await mine.call(method, url, body)).body?.code).not.toBe('confirm_identity')
  })

  test('is not opened by a link in a mail, which is no proof of a password', async () => {
    const email = 'linked@example.org'
    await browser().call('POST', '/api/users', { firstName: 'A', lastName: 'B', email, password: PASSWORD })
    const mine = browser()
    expect((await mine.call('POST', '/api/verify/email', { token: await tokenTo(email) })).status).toBe(200)
    const answer = await mine.call('POST', '/api/user/email', { email: 'elsewhere@example.org' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'confirm_identity' } })
  })

  test('is told to the browser beforehand', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const until = new Date(clock.now().getTime() + 10 * MINUTE).toISOString()
    expect((await mine.call('GET', '/api/session/confirmation')).body).toEqual({ until, passkeys: 0, code: null })
    clock.advance(10 * MINUTE)
    expect((await mine.call('GET', '/api/session/confirmation')).body).toEqual({ until: null, passkeys: 0, code: null })
  })

  test('is opened in the browser that showed the proof, not in the others of the account', async () => {
    const { email } = await addUser()
    const [here, there] = [await signedIn(email), await signedIn(email)]
    clock.advance(10 * MINUTE)
    await confirm(here)
    expect((await here.call('POST', '/api/user/totp', {})).status).toBe(201)
    expect((await there.call('POST', '/api/user/totp', {})).status).toBe(403)
  })
})

describe('the password', () => {
  test('a wrong password proves nothing', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    clock.advance(10 * MINUTE)
    expect(await confirm(mine, 'a guess')).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } })
    expect((await mine.call('POST', '/api/user/totp', {})).status).toBe(403)
  })

  test('cannot be guessed in a browser that was left open', async () => {
    const { email } = await addUser()
    const here = await signedIn(email)
    const guesses = await Promise.all(Array.from({ length: 10 }, () => confirm(here, 'a guess')))
    expect(guesses.filter((answer) => answer.status === 422)).toHaveLength(5)
    expect(guesses.filter((answer) => answer.status === 429)).toHaveLength(5)
  })
})
