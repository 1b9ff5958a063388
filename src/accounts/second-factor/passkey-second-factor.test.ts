import { describe, expect, test, vi } from 'vitest'
import { lockIsAwaited } from '../../platform/db/testing.ts'
import { createAccountsTestApp, fromBase32, PASSWORD, type Browser } from '../testing.ts'
import { lockUser } from '../users.ts'
import { createAuthenticator } from './testing-authenticator.ts'
import { codeAt, stepAt } from './totp.ts'

const testApp = await createAccountsTestApp(null, true)
const { addUser, browser, clock, db, deps, emailsTo, signedIn } = testApp
const MINUTE = 60_000

type Authenticator = ReturnType<typeof createAuthenticator>

async function register(mine: Browser, authenticator: Authenticator) {
  const { body } = await mine.call('POST', '/api/user/passkeys/requests', {})
  return mine.call('POST', '/api/user/passkeys', { name: 'Key', credential: authenticator.create(body) })
}

async function withPasskey(isAdmin = false) {
  const newUser = await addUser({ isAdmin })
  const mine = await signedIn(newUser.email)
  const authenticator = createAuthenticator()
  const { body } = await register(mine, authenticator)
  return { ...newUser, mine, authenticator, passkeyId: body.id as number, codes: body.recoveryCodes as string[] }
}

const signIn = (email: string, code?: string, from: Browser = browser()) =>
  from.call('POST', '/api/session', { email, password: PASSWORD, ...(code === undefined ? {} : { code }) })
const confirm = (mine: Browser, code?: string) =>
  mine.call('POST', '/api/session/confirmation', { password: PASSWORD, ...(code === undefined ? {} : { code }) })
const ask = async (from: Browser) => (await from.call('POST', '/api/passkey_requests', {})).body

describe('an account with a passkey and no authenticator app', () => {
  test.each([
    ['a customer', false],
    ['staff who need a second factor', true],
  ])('is not opened by the password alone: %s', async (_, isAdmin) => {
    const { email } = await withPasskey(isAdmin)
    const thief = browser('198.51.100.7')
    expect(await signIn(email, undefined, thief)).toMatchObject({
      status: 401,
      body: { code: 'totp_required', detail: 'Use your passkey, or enter a recovery code.' },
    })
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
  })

  test('is opened by the passkey alone, and by the password with each recovery code once', async () => {
    const { email, authenticator, codes } = await withPasskey()
    const from = browser()
    expect((await from.call('POST', '/api/session/passkey', authenticator.get(await ask(from)))).status).toBe(201)
    expect(codes).toHaveLength(10)
    expect((await signIn(email, codes[0])).status).toBe(201)
    expect((await signIn(email, codes[0])).status).toBe(401)
    expect((await emailsTo(email)).at(-1)?.text).toContain('9 remain')
  })

  test('leaves a line of the log for a code and a passkey that were refused, with the account', async () => {
    const { id, email, authenticator } = await withPasskey()
    const warn = vi.spyOn(deps.log, 'warn')
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'AAAA-BBBB-CCCC-DDDD')).status).toBe(401)
    const forged = { ...createAuthenticator().get(await ask(browser())), id: authenticator.id }
    expect((await browser().call('POST', '/api/session/passkey', forged)).status).toBe(401)
    const lines = warn.mock.calls.map(([line]) => line)
    warn.mockRestore()
    expect(lines).toMatchObject([
      { userId: id, factor: 'code', network: '192.0.2.1' },
      { userId: id, factor: 'passkey', network: '192.0.2.1' },
    ])
  })

  test('says no more of it to who does not know the password', async () => {
    const { email } = await withPasskey()
    const guess = await browser().call('POST', '/api/session', { email, password: 'a guess' })
    expect(guess).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  })

  test('wants it also of a sign-in that began before the passkey was added', async () => {
    const { id, email } = await addUser()
    let late: ReturnType<typeof signIn> | undefined
    await db.transaction().execute(async (adding) => {
      await lockUser(adding, id)
      late = signIn(email)
      await lockIsAwaited(db)
      const key = { user_id: id, name: 'Key', credential_id: Buffer.from('late'), public_key: Buffer.from('b') }
      const unused = { counter: 0, transports: [], synced: false, created_at: clock.now(), last_used_at: null }
      await adding
        .insertInto('passkeys')
        .values({ ...key, ...unused })
        .execute()
    })
    expect(await late!).toMatchObject({ status: 401, body: { code: 'totp_required' } })
  })

  test('keeps the passkey through a password reset', async () => {
    const { email, codes } = await withPasskey()
    await browser().call('POST', '/api/password/reset', { email })
    await testApp.answerResetRequests()
    const token = await testApp.tokenTo(email)
    expect((await browser().call('POST', '/api/password', { token, password: PASSWORD })).status).toBe(204)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, codes[3])).status).toBe(201)
  })

  test('lets the password alone confirm nothing in a browser that was left open', async () => {
    const { mine, passkeyId, authenticator, codes } = await withPasskey()
    clock.advance(10 * MINUTE)
    expect((await mine.call('GET', '/api/session/confirmation')).body).toEqual({
      until: null,
      passkeys: 1,
      code: 'recovery',
    })
    expect(await confirm(mine)).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } })
    expect(await confirm(mine, '123456')).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } })
    expect((await mine.call('DELETE', `/api/user/passkeys/${passkeyId}`)).status).toBe(403)
    const newToken = { name: 'x', scopes: ['account:read'] }
    expect((await mine.call('POST', '/api/user/api_tokens', newToken)).status).toBe(403)
    expect((await confirm(mine, codes[0])).status).toBe(204)
    expect((await mine.call('POST', '/api/user/api_tokens', newToken)).status).toBe(201)
    clock.advance(10 * MINUTE)
    const answer = authenticator.get(await ask(mine))
    expect((await mine.call('POST', '/api/session/confirmation/passkey', answer)).status).toBe(204)
    expect((await mine.call('DELETE', `/api/user/passkeys/${passkeyId}`)).status).toBe(204)
  })

  test('ends the other sessions when the first passkey is added: a thief who signed in before is out', async () => {
    const { email } = await addUser()
    const [mine, thief] = [await signedIn(email), await signedIn(email, '198.51.100.7')]
    expect((await register(mine, createAuthenticator())).status).toBe(201)
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
    expect((await mine.call('GET', '/api/user')).body).toMatchObject({
      hasSecondFactor: true,
      needsSecondFactor: false,
    })
  })

  test('gets recovery codes with its first passkey, keeps them with the second, and can renew them', async () => {
    const { email, mine, codes } = await withPasskey()
    expect((await register(mine, createAuthenticator())).body.recoveryCodes).toBeNull()
    const renewed = await mine.call('POST', '/api/user/recovery_codes', {})
    expect(renewed.status).toBe(201)
    expect((await signIn(email, codes[0])).status).toBe(401)
    expect((await signIn(email, renewed.body.recoveryCodes[0])).status).toBe(201)
  })

  test('is opened by the password again once the last passkey is gone, and its recovery codes go too', async () => {
    const { id, email, mine, passkeyId } = await withPasskey()
    expect((await mine.call('DELETE', `/api/user/passkeys/${passkeyId}`)).status).toBe(204)
    expect(await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute()).toEqual([])
    expect((await mine.call('POST', '/api/user/recovery_codes', {})).status).toBe(409)
    expect((await signIn(email)).status).toBe(201)
  })
})

describe('an account with a passkey and an authenticator app', () => {
  async function withBoth() {
    const user = await withPasskey()
    const begun = await user.mine.call('POST', '/api/user/totp', {})
    const secret = fromBase32(begun.body.secret)
    const code = () => codeAt(secret, stepAt(clock.now()))
    const confirmed = await user.mine.call('PUT', '/api/user/totp', { code: code() })
    clock.advance(30_000)
    return { ...user, code, codes: confirmed.body.recoveryCodes as string[] }
  }

  test('takes the code of the app beside the password, for sign-in and for confirmation', async () => {
    const { email, mine, code } = await withBoth()
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, code())).status).toBe(201)
    clock.advance(10 * MINUTE)
    expect((await mine.call('GET', '/api/session/confirmation')).body.code).toBe('app')
    expect((await confirm(mine)).status).toBe(422)
    expect((await confirm(mine, code())).status).toBe(204)
  })

  test('keeps asking while either is left, with recovery codes', async () => {
    const { email, mine, passkeyId, codes } = await withBoth()
    expect((await mine.call('DELETE', '/api/user/totp')).status).toBe(204)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, codes[0])).status).toBe(201)
    expect((await mine.call('DELETE', `/api/user/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await signIn(email)).status).toBe(201)
  })
})
