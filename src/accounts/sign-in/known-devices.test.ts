import { describe, expect, test } from 'vitest'
import { createAccountsTestApp, PASSWORD } from '../testing.ts'

const { addUser, browser, clock, emailsTo, tokenTo } = await createAccountsTestApp()
const DAY = 86_400_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const NEWER_FIREFOX = FIREFOX.replaceAll('140.0', '141.0')
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const signIn = (email: string, ip: string, userAgent: string, password = PASSWORD) =>
  browser(ip).call('POST', '/api/session', { email, password }, { 'user-agent': userAgent })
const sent = async (email: string) =>
  (await emailsTo(email)).filter((sentEmail) => sentEmail.subject.startsWith('New sign-in'))

describe('a sign-in', () => {
  test('is told about by mail when the network or the browser is new, and only then', async () => {
    const { email } = await addUser()
    await signIn(email, '198.51.100.7', FIREFOX)
    expect(await sent(email)).toHaveLength(0)
    await signIn(email, '198.51.100.200', NEWER_FIREFOX)
    expect(await sent(email)).toHaveLength(0)
    await signIn(email, '203.0.113.9', FIREFOX)
    expect(await sent(email)).toHaveLength(1)
    await signIn(email, '198.51.100.7', CHROME)
    expect(await sent(email)).toHaveLength(2)
    await signIn(email, '203.0.113.9', CHROME)
    expect(await sent(email)).toHaveLength(2)
    await signIn(email, '2001:db8:1:2::3', CHROME)
    await signIn(email, '2001:db8:1:ffff::4', CHROME)
    expect(await sent(email)).toHaveLength(3)
  })

  test('is told about with its time, its browser, its address, and how to end it', async () => {
    const { email } = await addUser()
    await signIn(email, '198.51.100.7', FIREFOX)
    await signIn(email, '203.0.113.9', CHROME)
    const [sentEmail] = await sent(email)
    const minute = clock.now().toISOString().slice(0, 16).replace('T', ' ')
    for (const word of [
      `${minute} UTC`,
      'Chrome on Windows',
      '203.0.113.9',
      '/settings?tab=sign-in',
      '/password/reset',
    ])
      expect(sentEmail!.text).toContain(word)
  })

  test('a sign-in with a wrong password sends no email', async () => {
    const { email } = await addUser()
    await signIn(email, '198.51.100.7', FIREFOX)
    expect((await signIn(email, '203.0.113.9', CHROME, 'not the password')).status).toBe(401)
    expect(await sent(email)).toHaveLength(0)
  })

  test('several sign-ins at once from one new device send one email', async () => {
    const { email } = await addUser()
    await signIn(email, '198.51.100.7', FIREFOX)
    await Promise.all(Array.from({ length: 5 }, () => signIn(email, '203.0.113.9', CHROME)))
    expect(await sent(email)).toHaveLength(1)
  })

  test('right after signing up is the first of the account and needs no email', async () => {
    const email = 'fresh@example.net'
    const newUser = { firstName: 'Ann', lastName: 'Example', email, password: PASSWORD }
    await browser().call('POST', '/api/users', newUser)
    const token = await tokenTo(email)
    await browser('198.51.100.7').call('POST', '/api/verify/email', { token }, { 'user-agent': FIREFOX })
    expect(await sent(email)).toHaveLength(0)
    await signIn(email, '198.51.100.8', FIREFOX)
    expect(await sent(email)).toHaveLength(0)
    await signIn(email, '203.0.113.9', CHROME)
    expect(await sent(email)).toHaveLength(1)
  })

  test('a sign-in from a device not used for half a year sends an email again', async () => {
    const { email } = await addUser()
    await signIn(email, '198.51.100.7', FIREFOX)
    // The database sets the times in the audit log, so move a year ahead of both its clock and the test clock.
    clock.advance(365 * DAY + Math.abs(Date.now() - clock.now().getTime()))
    await signIn(email, '198.51.100.7', FIREFOX)
    expect(await sent(email)).toHaveLength(1)
  })
})
