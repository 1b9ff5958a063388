import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { STAFF_ROLES, type StaffRole } from '../../kernel/required-role.ts'
import { createAccountsTestApp, PASSWORD } from '../testing.ts'

const { addUser, browser, signedIn, emailsTo, tokenTo, db, clock, registry } = await createAccountsTestApp()

const addStaff = async (...roles: StaffRole[]) => {
  const newUser = await addUser({ isAdmin: true })
  await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', newUser.id).execute()
  return { ...newUser, browser: await signedIn(newUser.email) }
}
const support = await addStaff('support')
const owner = await addStaff('owner')
const of = (id: number, what: string) => `/api/admin/users/${id}/${what}`
const REASON = 'Their laptop was stolen.'

describe('each change is support’s alone', () => {
  const calls: [string, unknown][] = [
    ['notes', { body: 'x' }],
    ['emails', { email: 'password_reset' }],
    ['sessions/end', { reason: REASON }],
  ]
  test.each(calls)('%s', async (what, body) => {
    const { id, email } = await addUser()
    for (const role of STAFF_ROLES) {
      const { browser: from } = await addStaff(role)
      const answer = await from.call('POST', of(id, what), body)
      if (role === 'support' || role === 'owner') expect(answer.status).toBeLessThan(300)
      else expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    }
    const customer = await signedIn(email)
    expect(await customer.call('POST', of(id, what), body)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    })
    expect((await browser().call('POST', of(id, what), body)).status).toBe(401)
    expect((await support.browser.call('POST', of(8_388_607, what), body)).status).toBe(404)
  })
})

describe('a note', () => {
  test('is kept as written, found by its text, and read by all staff', async () => {
    const { id } = await addUser()
    const body = '<script>alert(1)</script> & 100% _sure_\nsecond line'
    expect(await support.browser.call('POST', of(id, 'notes'), { body })).toMatchObject({
      status: 201,
      body: { author: { id: support.id, name: 'Ann Example' }, body, createdAt: clock.now().toISOString() },
    })
    await owner.browser.call('POST', of(id, 'notes'), { body: 'Second' })
    const { browser: network } = await addStaff('network')
    const list = async (query = '') =>
      (await network.call('GET', of(id, 'notes') + query)).body.notes.map((note: { body: string }) => note.body)
    expect(await list()).toEqual(['Second', body])
    expect(await list('?search=100%25%20_S')).toEqual([body])
    expect(await list('?search=100_')).toEqual([])
    const { body: page } = await network.call('GET', of(id, 'notes?limit=1'))
    expect(page).toMatchObject({ notes: [{ body: 'Second' }], next: expect.any(Number) })
    expect(await list(`?before=${page.next}`)).toEqual([body])
  })

  test('is in nothing that the customer reads, and the audit log does not quote it', async () => {
    const { id, email } = await addUser()
    await support.browser.call('POST', of(id, 'notes'), { body: 'qzsecret remark' })
    const customer = await signedIn(email)
    for (const path of ['/api/audit_events', '/api/user']) {
      expect(JSON.stringify((await customer.call('GET', path)).body)).not.toMatch(/qzsecret|user_note/)
    }
    expect(await customer.call('GET', of(id, 'notes'))).toMatchObject({ status: 403 })
    const [entry] = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'user_note.added')
      .orderBy('id', 'desc')
      .execute()
    expect(entry).toMatchObject({ subject_id: id, account_id: null, actor_kind: 'staff' })
    expect(JSON.stringify(entry!.data)).not.toContain('qzsecret')
  })

  test('cannot be changed or removed, not even in the database', async () => {
    const { id } = await addUser()
    await support.browser.call('POST', of(id, 'notes'), { body: 'x' })
    await expect(db.updateTable('user_notes').set({ body: 'y' }).execute()).rejects.toThrow('never changed')
    await expect(db.deleteFrom('user_notes').execute()).rejects.toThrow('never changed')
  })

  test.each([[''], ['   '], ['a\u0000b'], ['x'.repeat(4001)]])('a note of %j is refused', async (body) => {
    const { id } = await addUser()
    expect(await support.browser.call('POST', of(id, 'notes'), { body })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'body' }] },
    })
  })
})

describe('sends again', () => {
  const resend = (id: number, email: string) => support.browser.call('POST', of(id, 'emails'), { email })

  test('the confirmation of an address, whose link confirms it', async () => {
    const email = 'late@example.net'
    await browser().call('POST', '/api/users', {
      firstName: 'A',
      lastName: 'B',
      email,
      password: PASSWORD,
      redirect: '/transit',
    })
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    expect(await resend(id, 'confirmation')).toMatchObject({ status: 202, body: { to: email } })
    expect((await emailsTo(email)).length).toBe(2)
    const verified = await browser().call('POST', '/api/verify/email', { token: await tokenTo(email) })
    expect(verified).toMatchObject({ status: 200, body: { redirect: '/transit' } })
    expect((await signedIn(email)).cookies.size).toBeGreaterThan(0)
    expect(await resend(id, 'confirmation')).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  })

  test('a password reset, whose link only the email holds', async () => {
    const { id, email } = await addUser()
    const answer = await resend(id, 'password_reset')
    expect(answer).toMatchObject({ status: 202, body: { to: email } })
    const token = await tokenTo(email)
    expect(JSON.stringify(answer.body)).not.toContain(token)
    expect((await browser().call('POST', '/api/password', { token, password: 'another heron' })).status).toBe(204)
    const { body } = await (async () => {
      const mine = browser()
      await mine.call('POST', '/api/session', { email, password: 'another heron' })
      return mine.call('GET', '/api/audit_events')
    })()
    expect(body.events).toContainEqual(
      expect.objectContaining({
        action: 'email.resent',
        by: 'staff',
        ip: null,
        data: { email: 'password_reset', to: email },
      }),
    )
  })

  test('a password reset three times, then no more for a while', async () => {
    const { id, email } = await addUser()
    for (let sent = 0; sent < 3; sent++) expect((await resend(id, 'password_reset')).status).toBe(202)
    expect(await resend(id, 'password_reset')).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(await emailsTo(email)).toHaveLength(3)
    clock.advance(20 * 60_000)
    expect((await resend(id, 'password_reset')).status).toBe(202)
  })

  describe('the ASN verification', () => {
    const CONTACT = 'noc@holder.example'
    const withAsn = async (asn: number) => {
      const user = await addUser()
      const contact = { email: CONTACT, roles: ['technical'], source: 'RIPE' }
      registry.records.set(asn, { asn, holder: 'Holder', handles: [], contacts: [contact] } as never)
      await db
        .insertInto('asn_ownerships')
        .values({ account_id: accountIdOf(user.id), asn, verified_at: null })
        .execute()
      return user
    }

    test('the ASN verification is sent again to the chosen contact, with another link that staff never see', async () => {
      const { id } = await withAsn(64_601)
      expect(await resend(id, 'asn_verification')).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
      expect((await support.browser.call('POST', of(id, 'asn_verifications'), { email: CONTACT })).status).toBe(201)
      const first = await tokenTo(CONTACT)
      const answer = await resend(id, 'asn_verification')
      expect(answer).toMatchObject({ status: 202, body: { to: CONTACT } })
      expect(Object.keys(answer.body)).toEqual(['to'])
      const second = await tokenTo(CONTACT)
      expect(second).not.toBe(first)
      expect((await browser().call('POST', '/api/verify/asn', { token: first })).status).toBe(422)
      expect(await support.browser.call('POST', '/api/verify/asn', { token: second })).toMatchObject({
        status: 403,
        body: { code: 'staff_cannot_confirm' },
      })
      expect((await browser().call('POST', '/api/verify/asn', { token: second })).status).toBe(200)
    })

    test('the ASN verification is not sent to a contact that the registry no longer lists', async () => {
      const { id } = await withAsn(64_602)
      await support.browser.call('POST', of(id, 'asn_verifications'), { email: CONTACT })
      registry.records.set(64_602, { asn: 64_602, holder: 'Holder', handles: [], contacts: [] } as never)
      clock.advance(86_400_000)
      const { browser: again } = await addStaff('support')
      const before = (await emailsTo(CONTACT)).length
      expect((await again.call('POST', of(id, 'emails'), { email: 'asn_verification' })).status).toBe(422)
      expect(await emailsTo(CONTACT)).toHaveLength(before)
    })
  })
})

describe('ending all sessions', () => {
  const end = (from: typeof support, id: number) =>
    from.browser.call('POST', of(id, 'sessions/end'), { reason: REASON })

  test('signs the user out everywhere, tells them, and leaves other users alone', async () => {
    const { id, email } = await addUser()
    const [one, two, stranger] = [await signedIn(email), await signedIn(email), await signedIn((await addUser()).email)]
    const staff = await addStaff('support')
    expect(await end(staff, id)).toMatchObject({ status: 200, body: { ended: 2 } })
    for (const gone of [one, two]) expect((await gone.call('GET', '/api/user')).status).toBe(401)
    expect((await stranger.call('GET', '/api/user')).status).toBe(200)
    expect((await emailsTo(email)).at(-1)!.subject).toBe('You were signed out of Longhaul')
    const again = await signedIn(email)
    const { body } = await again.call('GET', '/api/audit_events')
    const entry = body.events.find((event: { action: string }) => event.action === 'session.ended_by_staff')
    expect(entry.data).toEqual({ sessions: [expect.any(Number), expect.any(Number)] })
    expect(await end(await addStaff('support'), (await addUser()).id)).toMatchObject({ body: { ended: 0 } })
  })

  test('only an owner may end all sessions of a member of staff', async () => {
    const other = await addStaff('network')
    const staff = await addStaff('support')
    expect(await end(staff, other.id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await other.browser.call('GET', '/api/user')).status).toBe(200)
    expect((await end(await addStaff('owner'), other.id)).status).toBe(200)
    expect((await other.browser.call('GET', '/api/user')).status).toBe(401)
  })
})
