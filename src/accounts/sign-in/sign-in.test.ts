import { describe, expect, test, vi } from 'vitest'
import { createAccountsTestApp, PASSWORD, type Browser } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, signedIn } = testApp
const MINUTE = 60_000

/** Each test uses its own network, so that they do not share a guess limit. */
let network = 0
const elsewhere = (): Browser => browser(`10.7.${++network >> 8}.${network & 255}`)
const attempt = (from: Browser, email: string, password: string) =>
  from.call('POST', '/api/session', { email, password })

describe('signing in', () => {
  test('answers who it is and sets a session that scripts cannot read', async () => {
    const { id, email } = await addUser()
    const from = elsewhere()
    const answer = await attempt(from, ` ${email.toUpperCase()} `, PASSWORD)
    expect(answer).toMatchObject({ status: 201, body: { id, email, isAdmin: false, lastSignInIp: '10.7.0.1' } })
    expect(answer.body).not.toHaveProperty('passwordHash')
    const cookies = [answer.headers['set-cookie']].flat() as string[]
    expect(cookies.find((cookie) => cookie.startsWith('session='))).toMatch(/HttpOnly/)
    expect(cookies.find((cookie) => cookie.startsWith('session='))).toMatch(/SameSite=Lax/)
  })

  test('stores no secret that would sign a user in', async () => {
    const { id, email } = await addUser()
    const from = elsewhere()
    await attempt(from, email, PASSWORD)
    const [row] = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
    expect(row?.digest.toString('base64url')).not.toBe(from.cookies.get('session'))
    const thief = elsewhere()
    thief.cookies.set('session', row!.digest.toString('base64url'))
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
  })

  test('refuses an unknown address and a wrong password with the same words', async () => {
    const { email } = await addUser()
    const wrong = await attempt(elsewhere(), email, 'not the password')
    const unknown = await attempt(elsewhere(), 'nobody@example.net', 'not the password')
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(wrong.body).toEqual(unknown.body)
  })

  test('a refused sign-in is logged with the account and the network, and without what was typed', async () => {
    const { id, email } = await addUser()
    const warn = vi.spyOn(testApp.deps.log, 'warn')
    await attempt(browser('10.8.1.1'), email, 'not the password')
    await attempt(browser('10.8.1.1'), 'nobody@example.net', 'not the password')
    await attempt(browser('10.8.1.1'), email, PASSWORD)
    const lines = warn.mock.calls.filter(([, text]) => text === 'an authentication was refused').map(([data]) => data)
    warn.mockRestore()
    expect(lines).toEqual([
      { userId: id, factor: 'password', network: '10.8.1.1', requestId: expect.any(String) },
      { userId: null, factor: 'password', network: '10.8.1.1', requestId: expect.any(String) },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/nobody|not the password/)
  })

  test('takes as long for an unknown address as for a wrong password', async () => {
    const known: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < 12; i++) {
      const { email } = await addUser()
      known.push(await processorTime(() => attempt(elsewhere(), email, 'not the password')))
      unknown.push(await processorTime(() => attempt(elsewhere(), `nobody-${i}@example.net`, 'not the password')))
    }
    // Without a dummy hash an unknown address would take a fraction of the time. Compare the minimum of each: other
    // work in the process only adds to them.
    expect(Math.min(...unknown)).toBeGreaterThan(0.6 * Math.min(...known))
    expect(Math.min(...unknown)).toBeLessThan(1.7 * Math.min(...known))
  })

  test('refuses an address that is not proved, only to who knows the password, and sends the link again', async () => {
    const { email } = await addUser({ verified: false })
    expect(await attempt(elsewhere(), email, 'not the password')).toMatchObject({ status: 401 })
    expect(await testApp.emailsTo(email)).toHaveLength(0)
    const answer = await attempt(elsewhere(), email, PASSWORD)
    expect(answer).toMatchObject({ status: 403, body: { code: 'email_unverified' } })
    const verified = await elsewhere().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified.status).toBe(200)
    expect((await attempt(elsewhere(), email, PASSWORD)).status).toBe(201)
  })

  test('changes the secret of a browser that was signed in already', async () => {
    const { email } = await addUser()
    const from = elsewhere()
    await attempt(from, email, PASSWORD)
    const before = from.cookies.get('session')!
    await attempt(from, email, PASSWORD)
    expect(from.cookies.get('session')).not.toBe(before)
    const old = elsewhere()
    old.cookies.set('session', before)
    expect((await old.call('GET', '/api/user')).status).toBe(401)
  })

  test('refuses a closed account like an unknown one', async () => {
    const { id, email } = await addUser()
    const open = await testApp.signedIn(email, '198.51.100.250')
    await db.updateTable('users').set({ closed_at: clock.now() }).where('id', '=', id).execute()
    expect((await open.call('GET', '/api/user')).status).toBe(401)
    expect((await attempt(elsewhere(), email, PASSWORD)).status).toBe(401)
  })
})

describe('guessing', () => {
  test('ends after ten tries, also with the right password, and says how long to wait', async () => {
    const { email } = await addUser()
    for (let i = 0; i < 10; i++) expect((await attempt(elsewhere(), email, `guess ${i}`)).status).toBe(401)
    const refused = await attempt(elsewhere(), email, PASSWORD)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(12 * 60)
    clock.advance(seconds * 1000)
    expect((await attempt(elsewhere(), email, PASSWORD)).status).toBe(201)
  })

  test('gets at most fifteen tries in the first hour', async () => {
    const { email } = await addUser()
    let tried = 0
    for (let minute = 0; minute < 60; minute++) {
      for (let i = 0; i < 3; i++) if ((await attempt(elsewhere(), email, 'a guess')).status === 401) tried++
      clock.advance(MINUTE)
    }
    expect(tried).toBeLessThanOrEqual(15)
  })

  test('is judged one by one when it comes all at once', async () => {
    const { email } = await addUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(elsewhere(), email, 'a guess')))
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10)
  })

  test('does not keep an owner out who comes from where they came before', async () => {
    const { email } = await addUser()
    const home = elsewhere()
    expect((await attempt(home, email, PASSWORD)).status).toBe(201)
    for (let i = 0; i < 12; i++) await attempt(elsewhere(), email, `guess ${i}`)
    expect((await attempt(elsewhere(), email, PASSWORD)).status).toBe(429)
    expect((await attempt(home, email, PASSWORD)).status).toBe(201)
  })

  test('looks the same for an address that has no account', async () => {
    for (let i = 0; i < 10; i++) await attempt(elsewhere(), 'ghost@example.net', `guess ${i}`)
    expect((await attempt(elsewhere(), 'ghost@example.net', 'once more')).status).toBe(429)
  })

  test('guessing by one IPv4 visitor of a socket that listens on :: keeps no other IPv4 visitor out', async () => {
    const guesser = browser('::ffff:10.9.8.8')
    for (let i = 0; i < 100; i++) await attempt(guesser, `mapped-${i}@example.net`, 'no')
    expect((await attempt(guesser, 'mapped-100@example.net', 'no')).status).toBe(429)
    const { email } = await addUser()
    const other = await signedIn(email, '::ffff:10.9.8.9')
    expect((await other.call('GET', '/api/user')).body).toMatchObject({ lastSignInIp: '10.9.8.9' })
    expect((await other.call('GET', '/api/sessions')).body).toMatchObject([{ ip: '10.9.8.9' }])
    // The same client over an IPv4-only socket.
    expect((await attempt(browser('10.9.8.8'), 'mapped-101@example.net', 'no')).status).toBe(429)
  })

  test('guessing many accounts from one network is throttled too, and an IPv6 /64 counts as one', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 104; i++) {
      const from = browser(`2001:db8:7:7::${(i + 1).toString(16)}`)
      statuses.push((await attempt(from, `list-${i}@example.net`, 'leaked')).status)
    }
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(100)).toEqual([429, 429, 429, 429])
  })

  test('is what counts: signing in rightly never is', async () => {
    const { email } = await addUser()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => attempt(browser('203.0.113.9'), email, PASSWORD)),
    )
    expect(answers.every((answer) => answer.status === 201)).toBe(true)
  })
})

/** CPU time in microseconds, over all threads of this process. Other load on the machine hardly affects it. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return user + system
}
