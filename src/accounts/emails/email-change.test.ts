import { expect, describe, test } from 'vitest'
import { createAccountsTestApp, PASSWORD, type Browser } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, emailsTo, signedIn } = testApp

let count = 0
const fresh = () => `moved-${++count}@example.org`
const ask = (mine: Browser, email: string) => mine.call('POST', '/api/user/email', { email })
const agree = (token: string) => browser().call('POST', '/api/verify/email_change', { token })

/** Returns the token in the newest email to an address. */
async function changeToken(email: string): Promise<string> {
  const text = (await emailsTo(email)).at(-1)?.text ?? ''
  return decodeURIComponent(/\/verify\/email\?change=([\w%-]+)/.exec(text)![1]!)
}

describe('changing the address', () => {
  test.each([
    ['old', 'new'],
    ['new', 'old'],
  ] as const)('takes both mailboxes, first the %s one, then the %s one', async (first, second) => {
    const { email: old } = await addUser()
    const email = fresh()
    const mine = await signedIn(old)
    expect((await ask(mine, email.toUpperCase())).status).toBe(202)
    const tokens = { old: await changeToken(old), new: await changeToken(email) }
    expect(await agree(tokens[first])).toMatchObject({ status: 200, body: { email, waitingFor: second } })
    expect((await mine.call('GET', '/api/user')).body.email).toBe(old)
    expect(await agree(tokens[first])).toMatchObject({ status: 422 })
    expect(await agree(tokens[second])).toMatchObject({ status: 200, body: { email, waitingFor: null } })
    expect((await mine.call('GET', '/api/user')).body.email).toBe(email)
    expect((await signedIn(email)).cookies.get('session')).toBeDefined()
    for (const address of [old, email]) {
      expect((await emailsTo(address)).at(-1)?.subject).toBe('Your email address was changed')
    }
  })

  test('is done once when both mailboxes agree at the same moment', async () => {
    const { email: old } = await addUser()
    const email = fresh()
    const mine = await signedIn(old)
    await ask(mine, email)
    const answers = await Promise.all([agree(await changeToken(old)), agree(await changeToken(email))])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(answers.filter((answer) => answer.body.waitingFor === null)).toHaveLength(1)
    expect((await mine.call('GET', '/api/user')).body.email).toBe(email)
  })

  test('does not tell that an address is known here, and never takes it over', async () => {
    const { email: old } = await addUser()
    const { email: known } = await addUser()
    const mine = await signedIn(old)
    const toKnown = await ask(mine, known)
    const toFresh = await ask(mine, fresh())
    expect({ ...toKnown, headers: undefined }).toEqual({ ...toFresh, headers: undefined })
    expect((await emailsTo(known)).at(-1)?.text).not.toContain('change=')
    expect((await signedIn(known)).cookies.get('session')).toBeDefined()
  })

  test('is refused when another user signed up with the address meanwhile', async () => {
    const { email: old } = await addUser()
    const email = fresh()
    await ask(await signedIn(old), email)
    const tokens = [await changeToken(old), await changeToken(email)] as const
    await browser().call('POST', '/api/users', { firstName: 'A', lastName: 'B', email, password: PASSWORD })
    await agree(tokens[0])
    expect((await agree(tokens[1])).status).toBe(409)
  })

  test('a second request to change the address invalidates the links of the first', async () => {
    const { email: old } = await addUser()
    const mine = await signedIn(old)
    await ask(mine, fresh())
    const older = await changeToken(old)
    await ask(mine, fresh())
    expect((await agree(older)).status).toBe(422)
    clock.advance(24 * 3_600_000 + 1)
    expect((await agree(await changeToken(old))).status).toBe(422)
  })
})
