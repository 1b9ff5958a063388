import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lockIsAwaited } from '../../platform/db/testing.ts'
import { encrypt, decrypt } from '../../platform/encryption.ts'
import { createAccountsTestApp, fromBase32, PASSWORD, type Browser } from '../testing.ts'
import { base32, codeAt, matchingStep, otpauthUri, stepAt } from './totp.ts'
import { lockUser } from '../users.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, emailsTo, signedIn } = testApp

/** A user with the app switched on; `code` returns its current code. */
async function withApp() {
  const newUser = await addUser()
  const here = await signedIn(newUser.email)
  const begun = await here.call('POST', '/api/user/totp', {})
  const secret = fromBase32(begun.body.secret)
  const code = () => codeAt(secret, stepAt(clock.now()))
  const confirmed = await here.call('PUT', '/api/user/totp', { code: code() })
  clock.advance(30_000)
  return { ...newUser, here, secret, code, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const signIn = (email: string, code?: string, from: Browser = browser()) =>
  from.call('POST', '/api/session', { email, password: PASSWORD, ...(code === undefined ? {} : { code }) })

describe('an account with an authenticator app', () => {
  test('wants its code after the password, and only then says that there is one', async () => {
    const { email, code } = await withApp()
    expect(await signIn(email)).toMatchObject({ status: 401, body: { code: 'totp_required' } })
    const wrongPassword = await browser().call('POST', '/api/session', { email, password: 'a guess', code: code() })
    expect(wrongPassword.body.code).toBe('wrong_credentials')
    const from = browser()
    expect(await signIn(email, code(), from)).toMatchObject({ status: 201, body: { hasTotp: true } })
    expect((await from.call('GET', '/api/user')).status).toBe(200)
  })

  test('wants it also of who signs in while it is switched on', async () => {
    const { id, email } = await addUser()
    await (await signedIn(email)).call('POST', '/api/user/totp', {})
    let late: ReturnType<typeof signIn> | undefined
    await db.transaction().execute(async (switching) => {
      await lockUser(switching, id)
      late = signIn(email)
      await lockIsAwaited(db)
      await switching.updateTable('totp_factors').set({ confirmed_at: clock.now() }).where('user_id', '=', id).execute()
    })
    expect(await late!).toMatchObject({ status: 401, body: { code: 'totp_required' } })
  })

  test('takes each code once, also when twenty present it at once', async () => {
    const { email, code } = await withApp()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, code())))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    clock.advance(10 * 60_000)
    const fresh = code()
    expect((await signIn(email, fresh)).status).toBe(201)
    expect(await signIn(email, fresh)).toMatchObject({ status: 401, body: { code: 'totp_required' } })
  })

  test('tells its owner by mail when a recovery code was used, and when new ones were made', async () => {
    const { email, here, recoveryCodes } = await withApp()
    expect((await signIn(email, recoveryCodes[0])).status).toBe(201)
    expect((await signIn(email, recoveryCodes[0])).status).toBe(401)
    const used = (await emailsTo(email)).filter((sentEmail) => sentEmail.subject.startsWith('A recovery code was used'))
    expect(used).toHaveLength(1)
    expect(used[0]!.text).toContain('9 remain')
    expect((await here.call('POST', '/api/user/recovery_codes', {})).status).toBe(201)
    expect((await emailsTo(email)).at(-1)?.subject).toBe('New recovery codes were generated')
  })

  test('takes no code that is older than the last one taken', async () => {
    const { email, secret } = await withApp()
    const step = stepAt(clock.now())
    expect((await signIn(email, codeAt(secret, step + 1))).status).toBe(201)
    expect((await signIn(email, codeAt(secret, step))).status).toBe(401)
  })

  test('lets no one guess codes', async () => {
    const { email, code } = await withApp()
    const wrong = code() === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i++) expect((await signIn(email, wrong)).status).toBe(401)
    expect((await signIn(email, code())).status).toBe(429)
    clock.advance(60_000)
    expect((await signIn(email, code())).status).toBe(201)
  })

  test('is opened by a recovery code while an attacker with the password guesses on, and its owner is told once', async () => {
    const { email, code, recoveryCodes } = await withApp()
    const guesser = browser('198.51.100.9')
    const wrong = code() === '000000' ? '000001' : '000000'
    for (let i = 0; i < 10; i++) await signIn(email, wrong, guesser)
    for (let i = 0; i < 12; i++) await signIn(email, 'AAAA-BBBB-CCCC-DDDD', guesser)
    expect((await signIn(email, 'AAAA-BBBB-CCCC-DDDD', guesser)).status).toBe(429)
    expect((await signIn(email, recoveryCodes[0])).status).toBe(201)
    const sent = (await emailsTo(email)).filter(({ subject }) => subject.startsWith('Someone entered wrong codes'))
    expect(sent).toHaveLength(1)
  })

  test('tells no one of four wrong codes', async () => {
    const { email, code } = await withApp()
    const wrong = code() === '000000' ? '000001' : '000000'
    for (let i = 0; i < 4; i++) await signIn(email, wrong)
    expect((await emailsTo(email)).map(({ subject }) => subject)).not.toContain(
      'Someone entered wrong codes for your account',
    )
  })

  test('keeps its second factor through a password reset', async () => {
    const { email, code } = await withApp()
    await browser().call('POST', '/api/password/reset', { email })
    await testApp.answerResetRequests()
    const token = await testApp.tokenTo(email)
    expect((await browser().call('POST', '/api/password', { token, password: PASSWORD })).status).toBe(204)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, code())).status).toBe(201)
  })

  test('opens with each recovery code once', async () => {
    const { email, recoveryCodes } = await withApp()
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first, second] = recoveryCodes as [string, string]
    expect((await signIn(email, first)).status).toBe(201)
    expect((await signIn(email, first)).status).toBe(401)
    expect((await signIn(email, second.toLowerCase().replaceAll('-', ' '))).status).toBe(201)
  })

  test('is not opened by a recovery code of another user', async () => {
    const [mine, theirs] = [await withApp(), await withApp()]
    expect((await signIn(mine.email, theirs.recoveryCodes[0])).status).toBe(401)
    expect((await signIn(theirs.email, theirs.recoveryCodes[0])).status).toBe(201)
  })

  test('replaces its recovery codes as a whole, and counts what is left', async () => {
    const { email, here, recoveryCodes } = await withApp()
    const left = async () => (await here.call('GET', '/api/user/recovery_codes')).body.left as number
    await signIn(email, recoveryCodes[0]!)
    expect(await left()).toBe(9)
    const renewed = await here.call('POST', '/api/user/recovery_codes', {})
    expect(renewed).toMatchObject({ status: 201 })
    expect(await left()).toBe(10)
    expect((await signIn(email, recoveryCodes[1]!)).status).toBe(401)
    expect((await signIn(email, renewed.body.recoveryCodes[0])).status).toBe(201)
  })

  test('keeps neither the secret nor the recovery codes in clear', async () => {
    const { id, secret, recoveryCodes } = await withApp()
    const factor = await db.selectFrom('totp_factors').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    expect(factor.encrypted_secret.includes(secret)).toBe(false)
    const codes = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute()
    expect(codes.some((row) => recoveryCodes.includes(row.digest.toString()))).toBe(false)
  })

  test('drops it when its owner says so, and tells them', async () => {
    const { email, here } = await withApp()
    expect((await here.call('DELETE', '/api/user/totp')).status).toBe(204)
    expect((await here.call('DELETE', '/api/user/totp')).status).toBe(409)
    expect((await signIn(email)).status).toBe(201)
    expect((await emailsTo(email)).at(-1)?.subject).toBe('The authenticator app was removed from your account')
  })
})

describe('switching the app on', () => {
  test('counts for nothing until a code of it was seen, and ends other sessions then', async () => {
    const { email } = await addUser()
    const [here, there] = [await signedIn(email), await signedIn(email)]
    const { body } = await here.call('POST', '/api/user/totp', {})
    expect((await signIn(email)).status).toBe(201)
    expect(await here.call('PUT', '/api/user/totp', { code: '000 000' })).toMatchObject({ status: 422 })
    const code = codeAt(fromBase32(body.secret), stepAt(clock.now()))
    expect((await here.call('PUT', '/api/user/totp', { code })).status).toBe(200)
    expect((await there.call('GET', '/api/user')).status).toBe(401)
    expect((await here.call('GET', '/api/user')).body.hasTotp).toBe(true)
  })

  test('cannot replace an app that is on', async () => {
    const { here } = await withApp()
    expect((await here.call('POST', '/api/user/totp', {})).status).toBe(409)
    expect((await here.call('PUT', '/api/user/totp', { code: '123456' })).status).toBe(409)
  })
})

describe('codes', () => {
  /** RFC 6238 appendix B, cut to six digits. */
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('a code at second %i is %s', (second, code) => {
    expect(codeAt(Buffer.from('12345678901234567890'), stepAt(new Date(second * 1000)))).toBe(code)
  })

  test('are valid one step early and one step late, and no more', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.integer({ min: -5, max: 5 }), (bytes, offset) => {
        const secret = Buffer.from(bytes)
        const now = new Date('2026-05-05T12:00:10Z')
        const step = matchingStep(secret, codeAt(secret, stepAt(now) + offset), now)
        // A distant step may have the same six digits by chance; then it matches as the near one.
        if (Math.abs(offset) <= 1) expect(step).not.toBeNull()
        else if (step !== null) expect(Math.abs(step - stepAt(now))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('secrets read back from base32 as they were', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(fromBase32(base32(Buffer.from(bytes)))).toEqual(Buffer.from(bytes))
      }),
    )
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  })

  test('the address for an app escapes whatever is in a name', () => {
    const uri = new URL(otpauthUri('A & B: C?', 'ann+x@example.net', Buffer.from('foobar')))
    expect(decodeURIComponent(uri.pathname)).toContain('A & B: C?:ann+x@example.net')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: 'MZXW6YTBOI', issuer: 'A & B: C?' })
  })
})

describe('a sealed secret', () => {
  test('opens with its key and purpose alone, and shows every tampered bit', () => {
    const plain = createHmac('sha256', 'x').digest()
    const encrypted = encrypt('key one', 'totp', plain)
    expect(decrypt('key one', 'totp', encrypted)).toEqual(plain)
    expect(() => decrypt('key two', 'totp', encrypted)).toThrow()
    expect(() => decrypt('key one', 'other', encrypted)).toThrow()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: encrypted.length * 8 - 1 }), (bit) => {
        const tampered = Buffer.from(encrypted)
        tampered[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => decrypt('key one', 'totp', tampered)).toThrow()
      }),
    )
  })
})
