import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { housekeepingReconciler } from '../cleanup-job.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { lockIsAwaited } from '../../platform/db/testing.ts'
import { signUp } from './sign-up.ts'
import { createAccountsTestApp, PASSWORD } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { browser, db, emailsTo } = testApp

let count = 0
let email = ''
beforeEach(() => {
  email = `new-${++count}@example.net`
})
const ask = (change: Record<string, unknown> = {}) =>
  browser().call('POST', '/api/users', { firstName: 'Ada', lastName: 'Reed', email, password: PASSWORD, ...change })

describe('signing up', () => {
  test('sends a link that proves the address and signs in', async () => {
    expect(await ask()).toMatchObject({ status: 202, body: undefined })
    const [sentEmail] = await emailsTo(email)
    expect(sentEmail?.subject).toBe('Confirm your email address for Longhaul')
    expect(sentEmail?.text).toContain('https://portal.example.net/verify/email?token=')

    const mine = browser()
    const verified = await mine.call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified).toMatchObject({
      status: 200,
      body: { email, firstName: 'Ada', isAdmin: false, asnVerifiedAt: null },
    })
    expect(await mine.call('GET', '/api/user')).toMatchObject({ status: 200, body: { email } })
  })

  test('is an event of the new user, and a repetition one of nobody in particular', async () => {
    await ask()
    await ask()
    const events = await db
      .selectFrom('audit_events')
      .innerJoin('users', 'users.id', 'audit_events.subject_id')
      .select(['action', 'actor_kind', sql<boolean>`actor_id is not distinct from users.id`.as('own')])
      .where('email', '=', email)
      .where('action', 'like', 'account.sign%')
      .orderBy('audit_events.id')
      .execute()
    expect(events).toEqual([
      { action: 'account.signed_up', actor_kind: 'user', own: true },
      { action: 'account.sign_up_repeated', actor_kind: expect.any(String), own: false },
    ])
  })

  test('remembers where the user wanted to go until the link is followed, in whichever browser', async () => {
    await ask({ redirect: '/transit?from=mail#prefix-7' })
    const verified = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified).toMatchObject({ status: 200, body: { email, redirect: '/transit?from=mail#prefix-7' } })
  })

  test('leads home where nothing else was wanted', async () => {
    await ask()
    const verified = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified.body).toMatchObject({ redirect: null })
  })

  test('puts the way on into no email, and keeps it when the email is sent again', async () => {
    await ask({ redirect: '/transit' })
    const again = await browser().call('POST', '/api/session', { email, password: PASSWORD, redirect: '/billing' })
    expect(again).toMatchObject({ status: 403, body: { code: 'email_unverified' } })
    const sentEmails = await emailsTo(email)
    expect(sentEmails).toHaveLength(2)
    expect(sentEmails.map(({ text, html }) => `${text} ${html}`).join()).not.toMatch(/transit|billing/)
    const verified = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified.body).toMatchObject({ redirect: '/billing' })
  })

  test('still knows the way on when the link ran out and another one is asked for where no one knows it', async () => {
    await ask({ redirect: '/transit?from=mail' })
    testApp.clock.advance(25 * 3_600_000)
    await housekeepingReconciler({ db, clock: testApp.clock }).reconcile(1, AbortSignal.timeout(1_000))
    const late = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(late).toMatchObject({ status: 422 })
    await browser().call('POST', '/api/session', { email, password: PASSWORD })
    const verified = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(email) })
    expect(verified).toMatchObject({ status: 200, body: { redirect: '/transit?from=mail' } })
  })

  test('takes the way on of no other sign-up with the same address', async () => {
    await ask({ redirect: '/billing', password: 'a stranger chose this one' })
    await ask()
    await browser().call('POST', '/api/session', { email, password: PASSWORD })
    const verified = await browser().call('POST', '/api/verify/email', {
      token: await testApp.tokenTo(email),
      password: PASSWORD,
    })
    expect(verified.body).toMatchObject({ redirect: null })
  })

  test.each([
    '//elsewhere.example',
    '/\\elsewhere.example',
    'https://elsewhere.example/',
    'transit',
    `/${'a'.repeat(300)}`,
  ])('takes no way on that leaves the portal or is long, such as %j', async (redirect) => {
    expect(await ask({ redirect })).toMatchObject({ status: 422, body: { errors: [{ field: 'redirect' }] } })
    expect(await emailsTo(email)).toEqual([])
  })

  test('refuses an address that no mail could ever reach', async () => {
    for (const email of [
      'x'.repeat(65) + '@example.net',
      'a@example.net, b@example.net',
      'a@ex\u212Ample.net',
      'a b@c.net',
    ])
      expect(await ask({ email })).toMatchObject({ status: 422, body: { errors: [{ field: 'email' }] } })
  })

  test('answers the same for a known address, whose owner gets an email that says so', async () => {
    const { email: known } = await testApp.addUser()
    const fresh = await ask()
    const repeated = await ask({ email: known.toUpperCase() })
    expect({ status: repeated.status, body: repeated.body }).toEqual({ status: fresh.status, body: fresh.body })
    expect(Object.keys(repeated.headers).sort()).toEqual(Object.keys(fresh.headers).sort())
    expect((await emailsTo(known)).map((sentEmail) => sentEmail.subject)).toEqual([
      'You already have a Longhaul account',
    ])
    expect(await testApp.signedIn(known)).toBeDefined()
  })

  test('opens one account for an address that signs up twice at once', async () => {
    const countAccounts = () =>
      db
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = await countAccounts()
    const person = { firstName: 'Ada', lastName: 'Reed', email, password: PASSWORD }
    const from = (ip: string) => (transaction: typeof db) =>
      signUp(testApp.deps, transaction, { actor: SYSTEM, ip }, person)
    let second: Promise<void> | undefined
    await db.transaction().execute(async (transaction) => {
      await from('192.0.2.1')(transaction)
      second = db.transaction().execute(from('198.51.100.1'))
      await lockIsAwaited(db)
    })
    await second
    expect(await countAccounts()).toEqual({ count: before.count + 1 })
  })

  test('keeps an account as it is when someone signs up with its address again', async () => {
    const { id, email: known } = await testApp.addUser()
    await ask({ email: known, firstName: 'Mallory', password: 'another password' })
    const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.first_name).toBe('Ann')
    expect(await testApp.signedIn(known)).toBeDefined()
  })

  test('puts no word of a stranger into an email to an address that is not proved', async () => {
    await ask({ firstName: 'Buy pills', lastName: '<b>now</b>' })
    const [sentEmail] = await emailsTo(email)
    expect(`${sentEmail?.subject} ${sentEmail?.text} ${sentEmail?.html}`).not.toMatch(/pills|now</)
  })

  test('sends one address a few emails and no more, however often it is asked', async () => {
    for (let i = 0; i < 8; i++) expect((await ask()).status).toBe(202)
    expect(await emailsTo(email)).toHaveLength(5)
  })

  test('names every wrong field at once', async () => {
    const answer = await ask({ firstName: ' ', lastName: undefined, email: 'nobody', password: 'short', isAdmin: true })
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { field: string }) => error.field).sort()).toEqual(
      ['email', 'firstName', 'isAdmin', 'lastName', 'password'].sort(),
    )
  })

  test('names a password that repeats the address beside what is wrong with the rest', async () => {
    const answer = await ask({ firstName: ' ', password: email })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'firstName' }, { field: 'password' }] } })
  })

  test.each([
    ['shorter than eight characters', 'aaaaaaa'],
    ['longer than 200 characters', 'x1'.repeat(101)],
    ['one of the first that is guessed', 'Password123'],
    ['the last of the hundred thousand that leaked', 'smokin24'],
    ['one that leaked, in other letters', 'ButterﬂY'],
    ['a season with its year', 'Summer2026!'],
    ['a word of the trade in disguise', 'r0uter!2026'],
    ['the same few characters over and over', 'abcabcabcabc'],
    ['a word twice', 'herONheron'],
    ['the address', 'great.heron@example.net'],
    ['what stands before the @ of the address', 'Great.Heron'],
  ])('refuses a password that is %s', async (_, password) => {
    email = 'great.heron@example.net'
    const answer = await ask({ password })
    expect(answer.body.errors).toHaveLength(1)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } })
    expect(await emailsTo(email)).toEqual([])
  })

  test.each(['four herons over dunes', 'ciscoherons', 'xk3-Quv9z', 'summer in the marsh 2026'])(
    'takes what no list has: %s',
    async (password) => {
      expect((await ask({ password })).status).toBe(202)
    },
  )

  test('says what to take instead of a common password', async () => {
    const { body } = await ask({ password: 'Password123' })
    expect(body.errors[0].message).toMatch(/four or more unrelated words/)
  })

  test('takes a long passphrase with any characters', async () => {
    expect((await ask({ password: 'пароль 🦩 mit Leerzeichen und mehr als sechzig Zeichen insgesamt' })).status).toBe(
      202,
    )
  })

  test('remembers nothing but a hash of the password', async () => {
    await ask({ password: 'a very particular phrase' })
    const rows = await db.selectFrom('users').selectAll().where('email', '=', email).execute()
    expect(JSON.stringify(rows)).not.toContain('particular')
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('refuses a network that signs up without end', async () => {
    const flooder = browser('198.51.100.7')
    const statuses = []
    for (let i = 0; i < 105; i++) {
      const body = { firstName: 'A', lastName: 'B', email: 'one@example.net', password: PASSWORD }
      statuses.push((await flooder.call('POST', '/api/users', body)).status)
    }
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(202))
    expect(statuses.slice(100)).toEqual(Array(5).fill(429))
  })
})

describe('the link that proves an address', () => {
  test('works for one of twenty that follow it at once', async () => {
    await ask()
    const token = await testApp.tokenTo(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser().call('POST', '/api/verify/email', { token })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19)
    const sessions = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.id')
      .where('email', '=', email)
      .execute()
    expect(sessions).toHaveLength(1)
  })

  test('is dead after a day', async () => {
    await ask()
    const token = await testApp.tokenTo(email)
    testApp.clock.advance(24 * 3_600_000 + 1)
    expect((await browser().call('POST', '/api/verify/email', { token })).status).toBe(422)
  })

  test('cannot set a password, nor the link of a reset prove an address', async () => {
    await ask()
    const token = await testApp.tokenTo(email)
    const asReset = await browser().call('POST', '/api/password', { token, password: 'something quite new' })
    expect(asReset.status).toBe(422)
    const { email: known } = await testApp.addUser()
    await ask({ email: known })
    const asProof = await browser().call('POST', '/api/verify/email', { token: await testApp.tokenTo(known) })
    expect(asProof.status).toBe(422)
  })
})

describe('two sign-ups with one address', () => {
  const OWN = 'the owner typed this'
  const FOREIGN = 'a stranger typed this'
  const verify = (token: string, password?: string) =>
    browser().call('POST', '/api/verify/email', { token, ...(password !== undefined && { password }) })
  const signIn = async (password: string) => {
    // Removes the limit on guesses per account, which would stop this test.
    await db.deleteFrom('throttles').execute()
    return (await browser().call('POST', '/api/session', { email, password })).status
  }
  const linksTo = async () =>
    (await emailsTo(email)).map(({ text }) => decodeURIComponent(/\?token=([\w.%-]+)/.exec(text)![1]!))

  test('never let the password of a stranger in, in whichever order, by whichever link, hours or days apart', async () => {
    const step = fc.record({ own: fc.boolean(), hoursLater: fc.constantFrom(0, 1, 25, 24 * 31) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), fc.nat(), async (steps, pick) => {
        email = `order-${++count}@example.net`
        for (const { own, hoursLater } of steps) {
          testApp.clock.advance(hoursLater * 3_600_000)
          await housekeepingReconciler({ db, clock: testApp.clock }).reconcile(1, AbortSignal.timeout(5_000))
          await ask({ password: own ? OWN : FOREIGN })
        }
        const links = await linksTo()
        const link = links[pick % links.length]!
        const isMixed = new Set(steps.map(({ own }) => own)).size === 2
        const bare = await verify(link)
        if (bare.status === 422 && bare.body.errors[0].field === 'token') return
        if (!isMixed) {
          expect(bare.status).toBe(200)
          return
        }
        expect(bare).toMatchObject({
          status: 422,
          body: { code: 'password_required', errors: [{ field: 'password' }] },
        })
        expect([await signIn(FOREIGN), await signIn(OWN)]).not.toContain(201)
        expect((await verify(link, OWN)).status).toBe(200)
        expect([await signIn(FOREIGN), await signIn(OWN)]).toEqual([401, 201])
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  test('still keep the stranger out when more sign-ups came than emails are sent', async () => {
    for (let i = 0; i < 5; i++) await ask({ password: FOREIGN })
    await ask({ password: OWN })
    await ask({ password: FOREIGN })
    const links = await linksTo()
    expect(links).toHaveLength(5)
    expect((await verify(links.at(-1)!)).body).toMatchObject({ code: 'password_required' })
    expect((await verify(links.at(-1)!, OWN)).status).toBe(200)
    expect([await signIn(FOREIGN), await signIn(OWN)]).toEqual([401, 201])
  })

  test('two sign-ups with the same password are one person who tried twice: the link alone is enough', async () => {
    await ask()
    await ask()
    for (const link of await linksTo()) {
      const { status } = await verify(link)
      expect(status).toBe(link === (await linksTo())[0] ? 200 : 422)
    }
    expect(await signIn(PASSWORD)).toBe(201)
  })

  test('are told in the email, which asks for a password then', async () => {
    await ask({ password: FOREIGN })
    await ask({ password: OWN })
    const [first, second] = await emailsTo(email)
    expect(first!.text).toContain('with a password they know')
    expect(second!.text).toContain('more than one sign-up')
  })

  test('keep the link when the chosen password is refused', async () => {
    await ask({ password: FOREIGN })
    await ask({ password: OWN })
    const link = (await linksTo())[1]!
    for (const password of ['short', email])
      expect(await verify(link, password)).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } })
    expect((await verify(link, OWN)).status).toBe(200)
  })

  test('two sign-ups while the link is followed end with the password of one person', async () => {
    await ask({ password: OWN })
    const link = await testApp.tokenTo(email)
    const otherUser = { firstName: 'M', lastName: 'M', email, password: FOREIGN }
    let late: ReturnType<typeof verify> | undefined
    await db.transaction().execute(async (transaction) => {
      await signUp(testApp.deps, transaction, { actor: SYSTEM, ip: '192.0.2.9' }, otherUser)
      late = verify(link)
      await lockIsAwaited(db)
    })
    expect((await late!).body).toMatchObject({ code: 'password_required' })
    expect((await verify(link, OWN)).status).toBe(200)
    await ask({ password: FOREIGN })
    expect([await signIn(FOREIGN), await signIn(OWN)]).toEqual([401, 201])
  })
})
