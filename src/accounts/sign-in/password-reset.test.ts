import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import { accountIdOf, lockIsAwaited } from '../../platform/db/testing.ts'
import { writePassword } from './password-reset.ts'
import { createAccountsTestApp, PASSWORD, type Browser } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, answerResetRequests, browser, clock, db, emailsTo, signedIn, tokenTo } = testApp
const NEW = 'a kingfisher dived twice'

const requestReset = (email: string, ip?: string) => browser(ip).call('POST', '/api/password/reset', { email })
const reset = (token: string, password = NEW) => browser().call('POST', '/api/password', { token, password })
const signIn = (email: string, password: string, ip?: string) =>
  browser(ip).call('POST', '/api/session', { email, password })

async function resetLink(email: string): Promise<string> {
  await requestReset(email)
  await answerResetRequests()
  return tokenTo(email)
}

describe('a forgotten password', () => {
  test('is set again through an email, and every session ends', async () => {
    const { email } = await addUser()
    const open = [await signedIn(email), await signedIn(email)]
    expect((await reset(await resetLink(email))).status).toBe(204)
    for (const session of open) expect((await session.call('GET', '/api/user')).status).toBe(401)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect((await signIn(email, NEW)).status).toBe(201)
    expect((await emailsTo(email)).at(-1)?.subject).toBe('Your password was changed')
  })

  test('lets no one in with the old one who was looked at while the new one was set', async () => {
    const { id, email } = await addUser()
    let late: ReturnType<typeof signIn> | undefined
    await db.transaction().execute(async (transaction) => {
      await writePassword(testApp.deps, transaction, SYSTEM, id, NEW, { session: null, apiTokens: false })
      late = signIn(email, PASSWORD)
      await lockIsAwaited(db)
    })
    expect((await late!).status).toBe(401)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
  })

  test('leaves the same traces before the answer whether or not the address is known', async () => {
    const { email } = await addUser()
    const known = await requestReset(email.toUpperCase())
    const unknown = await requestReset('nobody@example.net')
    expect({ ...known, headers: undefined }).toEqual({ ...unknown, headers: undefined })
    expect(known.status).toBe(202)
    const rows = await db.selectFrom('password_reset_requests').select('email').execute()
    expect(rows.map((row) => row.email).sort()).toEqual(['nobody@example.net', email].sort())
    expect(await emailsTo(email)).toEqual([])

    await answerResetRequests()
    expect(await emailsTo(email)).toHaveLength(1)
    expect(await emailsTo('nobody@example.net')).toEqual([])
    expect(await db.selectFrom('password_reset_requests').selectAll().execute()).toEqual([])
  })

  test('can be set by one of twenty that use the link at once', async () => {
    const { email } = await addUser()
    const token = await resetLink(email)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reset(token, `${NEW} ${i}`)))
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19)
  })

  test('cannot be set with a link that is older than an hour', async () => {
    const { email } = await addUser()
    const token = await resetLink(email)
    clock.advance(3_600_001)
    expect(await reset(token)).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } })
    expect((await signIn(email, PASSWORD)).status).toBe(201)
  })

  test('keeps its link when the new password is refused', async () => {
    const { email } = await addUser()
    const token = await resetLink(email)
    expect(await reset(token, email)).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } })
    expect((await reset(token)).status).toBe(204)
  })

  test('names a link that is spent beside a password that is refused', async () => {
    const errors = [{ field: 'password' }, { field: 'token' }]
    expect(await reset('never-issued', 'short')).toMatchObject({ status: 422, body: { errors } })
    const { email } = await addUser()
    const token = await resetLink(email)
    expect((await reset(token, 'short')).body.errors).toHaveLength(1)
  })

  test('makes older links worthless once it is set', async () => {
    const { email } = await addUser()
    const [older, newer] = [await resetLink(email), await resetLink(email)]
    expect((await reset(newer)).status).toBe(204)
    expect((await reset(older, `${NEW}!`)).status).toBe(422)
  })

  test('lets an owner in at once whom a guesser had shut out', async () => {
    const { email } = await addUser()
    for (let i = 0; i < 10; i++) await signIn(email, 'a guess', `10.9.0.${i + 1}`)
    expect((await signIn(email, PASSWORD, '10.9.1.1')).status).toBe(429)
    await reset(await resetLink(email))
    expect((await signIn(email, NEW, '10.9.1.1')).status).toBe(201)
  })

  test('proves the address by the way', async () => {
    const { email } = await addUser({ verified: false })
    await reset(await resetLink(email))
    expect((await signIn(email, NEW)).status).toBe(201)
  })

  test('fills no one’s mailbox', async () => {
    const { email } = await addUser()
    for (let i = 0; i < 6; i++) await requestReset(email)
    await answerResetRequests()
    expect(await emailsTo(email)).toHaveLength(3)
  })

  test('cannot be asked for without end from one network', async () => {
    const statuses = []
    for (let i = 0; i < 33; i++) statuses.push((await requestReset(`n${i}@example.net`, '10.9.2.2')).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  })

  test('is answered once by two workers, and not at all after an hour', async () => {
    const { email } = await addUser()
    await requestReset(email)
    await Promise.all([answerResetRequests(), answerResetRequests()])
    expect(await emailsTo(email)).toHaveLength(1)
    await requestReset(email)
    clock.advance(3_600_001)
    await answerResetRequests()
    expect(await emailsTo(email)).toHaveLength(1)
  })
})

/** Adds a working API token to the account. Returns a function that uses it and returns the HTTP status. */
async function addToken(mine: Browser, name: string, scopes = ['account:read']): Promise<() => Promise<number>> {
  const { body } = await mine.call('POST', '/api/user/api_tokens', { name, scopes })
  const call = async () =>
    (await browser().call('GET', '/api/user', undefined, { authorization: `Bearer ${body.token}` })).status
  expect(await call()).toBe(200)
  return call
}

describe('API tokens', () => {
  test('end when the password is reset, and the email names them', async () => {
    const { id, email } = await addUser()
    const other = await addUser()
    const mine = await signedIn(email)
    const [stolen, forgotten] = [await addToken(mine, 'stolen'), await addToken(mine, 'forgotten')]
    const foreign = await addToken(await signedIn(other.email), 'theirs')
    expect((await reset(await resetLink(email))).status).toBe(204)
    expect([await stolen(), await forgotten(), await foreign()]).toEqual([401, 401, 200])
    const sentEmail = (await emailsTo(email)).at(-1)!
    expect(sentEmail.subject).toBe('Your password was changed')
    expect(sentEmail.text).toContain('These API tokens were revoked: “stolen”, “forgotten”.')
    const revoked = await db
      .selectFrom('audit_events')
      .select('data')
      .where('account_id', '=', accountIdOf(id))
      .where('action', '=', 'api_token.revoked')
      .orderBy('id')
      .execute()
    expect(revoked.map(({ data }) => (data as { name: string }).name)).toEqual(['stolen', 'forgotten'])
  })

  test('end when the password is changed, unless the owner keeps them', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const kept = await addToken(mine, 'terraform')
    expect((await mine.call('PUT', '/api/user/password', { password: NEW, keepApiTokens: true })).status).toBe(204)
    expect(await kept()).toBe(200)
    expect((await emailsTo(email)).at(-1)!.text).toContain('These API tokens still work: “terraform”.')
    expect((await mine.call('PUT', '/api/user/password', { password: PASSWORD })).status).toBe(204)
    expect(await kept()).toBe(401)
    expect((await emailsTo(email)).at(-1)!.text).toContain('These API tokens were revoked: “terraform”.')
  })

  test('are not made by a session that the reset of the password ends at the same moment', async () => {
    const { id, email } = await addUser()
    const mine = await signedIn(email)
    let late: ReturnType<Browser['call']> | undefined
    await db.transaction().execute(async (transaction) => {
      await writePassword(testApp.deps, transaction, SYSTEM, id, NEW, { session: null, apiTokens: false })
      late = mine.call('POST', '/api/user/api_tokens', { name: 'late', scopes: ['account:read'] })
      await lockIsAwaited(db)
    })
    expect((await late!).status).toBe(401)
    expect(await db.selectFrom('api_tokens').select('id').where('user_id', '=', id).execute()).toEqual([])
  })
})

test('a reset of the password withdraws a change of the address that was requested', async () => {
  const { id, email } = await addUser()
  await (await signedIn(email)).call('POST', '/api/user/email', { email: 'thief@example.org' })
  expect((await reset(await resetLink(email))).status).toBe(204)
  const left = db.selectFrom('mail_tokens').select('purpose').where('user_id', '=', id)
  expect(await left.execute()).toEqual([])
})

describe('changing the password', () => {
  test('keeps this session and ends the others', async () => {
    const { email } = await addUser()
    const [here, there] = [await signedIn(email), await signedIn(email)]
    expect((await here.call('PUT', '/api/user/password', { password: NEW })).status).toBe(204)
    expect((await here.call('GET', '/api/user')).status).toBe(200)
    expect((await there.call('GET', '/api/user')).status).toBe(401)
    expect((await signIn(email, NEW)).status).toBe(201)
  })
})
