import type { UserId } from '../../kernel/ids.ts'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { applyGrants } from '../../platform/db/grants.ts'
import { openDatabase } from '../../platform/db/index.ts'
import { accountIdOf, lockIsAwaited } from '../../platform/db/testing.ts'
import { asRole, testRoles } from '../../platform/db/testing-roles.ts'
import { createAuthenticator } from '../second-factor/testing-authenticator.ts'
import { PASSWORD, type Browser } from '../testing.ts'
import { secondFactorResetReconciler } from './reset-job.ts'
import { createResetTestApp, DAY, HOUR, RECOVERY_CODE } from './testing.ts'

const testApp = await createResetTestApp()
const { addProtected, addStaff, addUser, approve, browser, clock, codeNow, db, deps, emailsTo } = testApp
const { as, latest, of, request, runJob, stateOf, stopTokenTo, tokenTo } = testApp

const one = await addStaff('support')
const other = await addStaff('support')

const signIn = (email: string, code?: string, from: Browser = browser()) =>
  from.call('POST', '/api/session', { email, password: PASSWORD, ...(code === undefined ? {} : { code }) })
const stopByLink = (token: string, from: Browser = browser()) =>
  from.call('POST', '/api/verify/second_factor_reset', { token })
const subjects = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject)

async function requested() {
  const customer = await addProtected()
  expect((await request(one, customer.id)).status).toBe(201)
  return customer
}
async function approved() {
  const customer = await requested()
  expect((await approve(other, customer.id)).status).toBe(200)
  return customer
}
const actionsOf = async (userId: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind', 'actor_id'])
      .where('account_id', '=', accountIdOf(userId))
      .where('action', 'like', 'second_factor_reset.%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_kind, actor_id }) => `${action.split('.')[1]} by ${actor_kind} ${actor_id ?? ''}`.trim())

describe('of staff who are out of charge', () => {
  const gone: [string, (id: number) => Promise<unknown>][] = [
    [
      'dismissed',
      (id) =>
        db
          .updateTable('users')
          .set({ staff_roles: [] })
          .where('id', '=', id as UserId)
          .execute(),
    ],
    [
      'without the role',
      (id) =>
        db
          .updateTable('users')
          .set({ staff_roles: ['billing'] })
          .where('id', '=', id as UserId)
          .execute(),
    ],
    [
      'suspended',
      (id) =>
        db
          .insertInto('account_suspensions')
          .values({ account_id: accountIdOf(id), reason: 'Taken.', suspended_by: one.id, suspended_at: clock.now() })
          .execute(),
    ],
  ]
  test.each(gone)('a request cannot be approved once its requester is %s', async (_, leave) => {
    const taken = await addStaff('support')
    const customer = await addProtected()
    expect((await request(taken, customer.id)).status).toBe(201)
    await leave(taken.id)
    expect(await approve(other, customer.id)).toMatchObject({ status: 409 })
    expect(await stateOf(one, customer.id)).toBe('requested')
  })

  test.each(gone)('an approved reset ends without effect once its approver is %s', async (_, leave) => {
    const taken = await addStaff('support')
    const customer = await requested()
    expect((await approve(taken, customer.id)).status).toBe(200)
    await leave(taken.id)
    clock.advance(DAY)
    await runJob()
    expect(await stateOf(one, customer.id)).toBe('cancelled')
    const factors = await db.selectFrom('totp_factors').select('user_id').where('user_id', '=', customer.id).execute()
    expect(factors).toHaveLength(1)
    expect(await subjects(customer.email)).toContain('Your second factor is not reset')
  })
})

describe('a factor that is used is not lost', () => {
  const uses: [string, (email: string, mine: Browser) => Promise<number>][] = [
    ['a code of the app to sign in', async (email) => (await signIn(email, codeNow())).status],
    ['a recovery code to sign in', async (email) => (await signIn(email, RECOVERY_CODE)).status],
    [
      'a code to confirm who one is',
      async (_, mine) =>
        (await mine.call('POST', '/api/session/confirmation', { password: PASSWORD, code: codeNow() })).status,
    ],
    ['new recovery codes', async (_, mine) => (await mine.call('POST', '/api/user/recovery_codes', {})).status],
    ['an app that is switched off', async (_, mine) => (await mine.call('DELETE', '/api/user/totp')).status],
    [
      'a passkey that is added',
      async (_, mine) => {
        const { body } = await mine.call('POST', '/api/user/passkeys/requests', {})
        const credential = createAuthenticator().create(body)
        return (await mine.call('POST', '/api/user/passkeys', { name: 'Key', credential })).status
      },
    ],
  ]
  test.each(uses)('%s', async (_, use) => {
    const { id, email } = await addProtected()
    const mine = browser()
    await signIn(email, codeNow(), mine)
    clock.advance(30_000)
    await request(one, id)
    await approve(other, id)
    expect(await use(email, mine)).toBeLessThan(300)
    expect(await stateOf(one, id)).toBe('factor_used')
    expect((await actionsOf(id)).at(-1)).toBe(`factor_used by user ${id}`)
    expect(await subjects(email)).toContain('Your second factor is not reset')
  })

  const passkeyUses: [
    string,
    (authenticator: ReturnType<typeof createAuthenticator>, mine: Browser) => Promise<number>,
  ][] = [
    [
      'a passkey to sign in',
      async (authenticator) => {
        const from = browser()
        const { body } = await from.call('POST', '/api/passkey_requests', {})
        return (await from.call('POST', '/api/session/passkey', authenticator.get(body))).status
      },
    ],
    [
      'a passkey to confirm who one is',
      async (authenticator, mine) => {
        const { body } = await mine.call('POST', '/api/passkey_requests', {})
        return (await mine.call('POST', '/api/session/confirmation/passkey', authenticator.get(body))).status
      },
    ],
    [
      'a passkey that is removed',
      async (_, mine) => {
        const [passkey] = (await mine.call('GET', '/api/user/passkeys')).body
        return (await mine.call('DELETE', `/api/user/passkeys/${passkey.id}`)).status
      },
    ],
    [
      'an app that is switched on',
      async (_, mine) => {
        await mine.call('POST', '/api/user/totp', {})
        const { id } = (await mine.call('GET', '/api/user')).body
        await db.deleteFrom('totp_factors').where('user_id', '=', id).execute()
        await testApp.addFactors(id)
        await db.updateTable('totp_factors').set({ confirmed_at: null }).where('user_id', '=', id).execute()
        return (await mine.call('PUT', '/api/user/totp', { code: codeNow() })).status
      },
    ],
  ]
  test.each(passkeyUses)('%s', async (_, use) => {
    const { id, email } = await addUser()
    const mine = await testApp.signedIn(email)
    const authenticator = createAuthenticator()
    const { body } = await mine.call('POST', '/api/user/passkeys/requests', {})
    await mine.call('POST', '/api/user/passkeys', { name: 'Phone', credential: authenticator.create(body) })
    await request(one, id)
    expect(await use(authenticator, mine)).toBeLessThan(300)
    expect(await stateOf(one, id)).toBe('factor_used')
  })

  test('a password, a wrong code and a new password are no factor', async () => {
    const { id, email } = await requested()
    await signIn(email)
    await signIn(email, '000000')
    await signIn(email, 'AAAA-BBBB-CCCC-DDDD')
    await browser().call('POST', '/api/password/reset', { email })
    await testApp.answerResetRequests()
    const token = await tokenTo(email)
    expect(
      (await browser().call('POST', '/api/password', { token, password: 'a kingfisher dived twice' })).status,
    ).toBe(204)
    expect(await stateOf(one, id)).toBe('requested')
  })
})

describe('at once', () => {
  test('two approvals are one', async () => {
    const { id, email } = await requested()
    const third = await addStaff('support')
    for (const staff of [other, third]) await as(staff)
    const path = of(id, `/${await latest(id)}/approve`)
    const answers = await db.transaction().execute(async (held) => {
      await held.selectFrom('second_factor_resets').select('id').where('user_id', '=', id).forUpdate().execute()
      const both = [other, third].map(({ browser: from }) => from.call('POST', path, {}))
      await lockIsAwaited(db)
      return { both }
    })
    const statuses = (await Promise.all(answers.both)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await subjects(email)).filter((text) => text.includes('will be reset'))).toHaveLength(1)
  })

  test('a stop that comes while the job waits wins, and nothing is removed', async () => {
    const { id, email } = await approved()
    const token = await stopTokenTo(email)
    clock.advance(DAY)
    const job = await db.transaction().execute(async (held) => {
      await held.selectFrom('second_factor_resets').select('id').where('user_id', '=', id).forUpdate().execute()
      await held
        .updateTable('second_factor_resets')
        .set({ outcome: 'stopped', ended_at: clock.now() })
        .where('user_id', '=', id)
        .execute()
      const late = runJob()
      await lockIsAwaited(db)
      return { late }
    })
    await job.late
    expect(await stateOf(one, id)).toBe('stopped')
    expect((await signIn(email)).body.code).toBe('totp_required')
    expect((await stopByLink(token)).status).toBe(422)
  })

  test('a code that comes while the job removes the app is none any more', async () => {
    const { id, email } = await approved()
    clock.advance(DAY)
    let code: ReturnType<typeof signIn> | undefined
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!code) {
          code = signIn(email, codeNow())
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        return result
      },
    }
    await db.transaction().execute(async (held) => {
      await held.selectFrom('second_factor_resets').select('id').where('user_id', '=', id).forUpdate().execute()
      await secondFactorResetReconciler({ ...deps, db: held.withPlugin(plugin) }).reconcile(
        id,
        AbortSignal.timeout(5_000),
      )
    })
    expect((await code!).status).toBe(401)
    expect(await stateOf(one, id)).toBe('completed')
  })
})

describe('the job', () => {
  test('has done all or nothing, killed before and after each statement', async () => {
    class Killed extends Error {}
    let left = 0
    const step = (): void => {
      if (left === 0) throw new Killed()
      left--
    }
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        step()
        return node
      },
      async transformResult({ result }) {
        step()
        return result
      },
    }
    const { id, email } = await approved()
    const mine = browser()
    await db
      .insertInto('passkeys')
      .values({ ...PASSKEY, user_id: id })
      .execute()
    await db
      .insertInto('api_tokens')
      .values({ ...TOKEN, user_id: id })
      .execute()
    await db
      .insertInto('sessions')
      .values({ ...SESSION, user_id: id, created_at: clock.now(), last_seen_at: clock.now() })
      .execute()
    clock.advance(DAY)
    const rows = async () => {
      const counts = []
      for (const table of [
        'totp_factors',
        'passkeys',
        'recovery_codes',
        'sessions',
        'api_tokens',
        'mail_tokens',
      ] as const) {
        counts.push((await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length)
      }
      return [...counts, (await emailsTo(email)).length, (await actionsOf(id)).length]
    }
    const untouched = await rows()
    expect(untouched.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 2])
    let lives = 0
    for (; lives < 200; lives++) {
      left = lives
      const done = await runJob({ ...deps, db: db.withPlugin(plugin) }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error
          return false
        },
      )
      if (done) break
      expect(await rows()).toEqual(untouched)
    }
    expect(lives).toBeGreaterThan(20)
    const [, , , , , , emails, events] = untouched
    expect(await rows()).toEqual([0, 0, 0, 0, 0, 0, emails! + 1, events! + 1])
    expect((await signIn(email, undefined, mine)).status).toBe(201)
  })

  test('is allowed all of it by the rights of the worker', async () => {
    const roles = await testRoles(testApp.url)
    await db.transaction().execute((transaction) => applyGrants(transaction, roles))
    const worker = openDatabase({ url: asRole(testApp.url, roles.worker), poolSize: 2 })
    try {
      const [done, late] = [await approved(), await requested()]
      await db
        .insertInto('passkeys')
        .values({ ...PASSKEY, user_id: done.id, credential_id: Buffer.alloc(16, 9) })
        .execute()
      clock.advance(72 * HOUR)
      await runJob({ ...deps, db: worker.db })
      expect([await stateOf(one, done.id), await stateOf(one, late.id)]).toEqual(['completed', 'expired'])
    } finally {
      await worker.close()
    }
  })
})

const PASSKEY = {
  credential_id: Buffer.alloc(16, 1),
  public_key: Buffer.alloc(16),
  counter: 0,
  transports: [],
  name: 'Phone',
  synced: false,
  created_at: new Date(),
  last_used_at: null,
}
const TOKEN = {
  digest: Buffer.alloc(32, 1),
  name: 'ci',
  created_at: new Date(),
  expires_at: new Date('2030-01-01'),
  last_used_at: null,
  last_used_ip: null,
  scopes: ['account:read' as const],
  networks: [],
}
const SESSION = { digest: Buffer.alloc(32, 2), ip: '192.0.2.1', user_agent: 'Test/1', confirmed_at: null }
