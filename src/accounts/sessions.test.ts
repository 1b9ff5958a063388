import { describe, expect, test } from 'vitest'
import { createAccountsTestApp } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, signedIn } = testApp
const DAY = 86_400_000

describe('a session', () => {
  test('ends with signing out, on the server as well', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const secret = mine.cookies.get('session')!
    expect((await mine.call('DELETE', '/api/session')).status).toBe(204)
    expect(mine.cookies.has('session')).toBe(false)
    const thief = browser()
    thief.cookies.set('session', secret)
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
  })

  test('dies after thirty days without use, and lives on while it is used', async () => {
    const { email } = await addUser()
    const [used, idle] = [await signedIn(email), await signedIn(email)]
    for (let i = 0; i < 2; i++) {
      clock.advance(20 * DAY)
      expect((await used.call('GET', '/api/user')).status).toBe(200)
    }
    expect((await idle.call('GET', '/api/user')).status).toBe(401)
  })

  test('dies after half a year however much it is used', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    for (let i = 0; i < 9; i++) {
      clock.advance(20 * DAY)
      expect((await mine.call('GET', '/api/user')).status).toBe(200)
    }
    clock.advance(DAY)
    expect((await mine.call('GET', '/api/user')).status).toBe(401)
  })

  test('a session of staff ends after half a day without use', async () => {
    const { email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    clock.advance(DAY / 2 + 1)
    expect((await mine.call('GET', '/api/user')).status).toBe(401)
  })

  test('notes its use at most once a minute', async () => {
    const { id, email } = await addUser()
    const mine = await signedIn(email)
    const lastSeen = async () =>
      (await db.selectFrom('sessions').select('last_seen_at').where('user_id', '=', id).executeTakeFirstOrThrow())
        .last_seen_at
    const began = await lastSeen()
    clock.advance(59_000)
    await mine.call('GET', '/api/user')
    expect(await lastSeen()).toEqual(began)
    clock.advance(1_000)
    await mine.call('GET', '/api/user')
    expect(await lastSeen()).toEqual(clock.now())
  })

  test('loses the rights of staff the moment its owner does', async () => {
    const { id, email } = await addUser({ isAdmin: true })
    const { id: other } = await addUser()
    const mine = await signedIn(email)
    const url = `/api/admin/users/${other}/asn_verifications/new`
    expect((await mine.call('GET', url)).status).toBe(200)
    await db.updateTable('users').set({ staff_roles: [] }).where('id', '=', id).execute()
    expect((await mine.call('GET', url)).status).toBe(403)
  })

  test.each(['', 'x', 'a'.repeat(5_000), '%00', "' or 1=1 --"])('is not opened by %j', async (secret) => {
    const otherUser = browser()
    otherUser.cookies.set('session', secret)
    expect((await otherUser.call('GET', '/api/user')).status).toBe(401)
  })
})

describe('the list of sessions', () => {
  test('shows own sessions, and which one is asking', async () => {
    const { email } = await addUser()
    await signedIn(email, '198.51.100.1')
    clock.advance(1_000)
    const here = await signedIn(email, '2001:db8::7')
    const { body } = await here.call('GET', '/api/sessions')
    expect(body).toEqual([
      expect.objectContaining({ current: true, ip: '2001:db8::7', userAgent: 'Test/1' }),
      expect.objectContaining({ current: false, ip: '198.51.100.1' }),
    ])
  })

  test('ends another browser at once', async () => {
    const { email } = await addUser()
    const [here, there] = [await signedIn(email), await signedIn(email)]
    const { body } = await here.call('GET', '/api/sessions')
    const other = body.find((session: { current: boolean }) => !session.current)
    expect((await here.call('DELETE', `/api/sessions/${other.id}`)).status).toBe(204)
    expect((await there.call('GET', '/api/user')).status).toBe(401)
    expect((await here.call('GET', '/api/user')).status).toBe(200)
  })

  test('ends all others and keeps this one', async () => {
    const { email } = await addUser()
    const [here, one, two] = [await signedIn(email), await signedIn(email), await signedIn(email)]
    expect((await here.call('DELETE', '/api/sessions')).status).toBe(204)
    expect((await one.call('GET', '/api/user')).status).toBe(401)
    expect((await two.call('GET', '/api/user')).status).toBe(401)
    expect((await here.call('GET', '/api/sessions')).body).toHaveLength(1)
  })

  test("treats another's session like one that never was", async () => {
    const { email } = await addUser()
    const { email: victim } = await addUser()
    const mine = await signedIn(email)
    const theirs = await signedIn(victim)
    const { body } = await theirs.call('GET', '/api/sessions')
    const foreign = await mine.call('DELETE', `/api/sessions/${body[0].id}`)
    const absent = await mine.call('DELETE', '/api/sessions/2147483647')
    const shapeless = await mine.call('DELETE', '/api/sessions/first')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(absent.body)
    expect(shapeless.status).toBe(404)
    expect((await theirs.call('GET', '/api/user')).status).toBe(200)
  })
})

describe('a forged request', () => {
  test.each(['missing', 'wrong', 'of another session'])(
    'a request whose CSRF token is %s changes nothing',
    async (which) => {
      const { email } = await addUser()
      const mine = await signedIn(email)
      const forged = {
        missing: '',
        wrong: 'A'.repeat(43),
        'of another session': (await signedIn(email)).cookies.get('CSRF-TOKEN')!,
      }[which]!
      const answer = await mine.call('PATCH', '/api/user', { firstName: 'Forged' }, { 'x-csrf-token': forged })
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf' } })
      expect((await mine.call('GET', '/api/user')).body.firstName).toBe('Ann')
    },
  )
})
