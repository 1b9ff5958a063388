import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { StaffRole } from '../../kernel/required-role.ts'
import { createAccountsTestApp, type Browser } from '../testing.ts'

const { addUser, browser, signedIn, emailsTo, db, clock } = await createAccountsTestApp()

const addStaff = async (...roles: StaffRole[]) => {
  const newUser = await addUser({ isAdmin: true })
  await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', newUser.id).execute()
  return { ...newUser, browser: await signedIn(newUser.email) }
}
const PATH = '/api/admin/staff'
const put = (mine: Browser, id: number, ...roles: StaffRole[]) => mine.call('PUT', `${PATH}/${id}`, { roles })

let owner: Awaited<ReturnType<typeof addStaff>>
beforeEach(async () => {
  await db.updateTable('users').set({ staff_roles: [] }).execute()
  owner = await addStaff('owner')
})

describe('an owner', () => {
  test('makes an account that exists staff, and an email tells them', async () => {
    const { id, email } = await addUser()
    const answer = await owner.browser.call('POST', PATH, { email: email.toUpperCase(), roles: ['support', 'billing'] })
    expect(answer).toMatchObject({ status: 201, body: { id, email, roles: ['support', 'billing'], passkeys: 0 } })
    expect((await emailsTo(email)).map(({ subject }) => subject)).toEqual(['You now have staff access to Longhaul'])
    const events = await db.selectFrom('audit_events').selectAll().where('subject_id', '=', id).execute()
    expect(events).toMatchObject([
      {
        action: 'account.staff_granted',
        actor_id: owner.id,
        account_id: accountIdOf(id),
        data: { before: [], after: ['support', 'billing'] },
      },
    ])
  })

  test('cannot appoint an address without a confirmed account, or twice, or without a role', async () => {
    const unproved = await addUser({ verified: false })
    const grantStaff = (email: string, roles: string[] = ['support']) =>
      owner.browser.call('POST', PATH, { email, roles })
    for (const email of ['nobody@example.net', unproved.email]) {
      expect(await grantStaff(email)).toMatchObject({ status: 422, body: { errors: [{ field: 'email' }] } })
    }
    expect((await grantStaff(owner.email)).status).toBe(409)
    const { email } = await addUser()
    for (const roles of [[], ['king'], ['support', 'support']])
      expect((await grantStaff(email, roles)).status).toBe(422)
  })

  test('changes roles, which hold from the next request on', async () => {
    const other = await addStaff('support')
    const { email } = await addUser()
    const tryIt = () => other.browser.call('POST', PATH, { email, roles: ['network'] })
    expect(await tryIt()).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await put(owner.browser, other.id, 'owner')).toMatchObject({ status: 200, body: { roles: ['owner'] } })
    expect((await tryIt()).status).toBe(201)
  })

  test('dismisses: the sessions end, the account stays', async () => {
    const other = await addStaff('support')
    expect((await owner.browser.call('DELETE', `${PATH}/${other.id}`)).status).toBe(204)
    expect((await other.browser.call('GET', '/api/user')).status).toBe(401)
    const again = await signedIn(other.email)
    expect((await again.call('GET', '/api/user')).body).toMatchObject({ isAdmin: false, roles: [] })
    expect((await again.call('GET', PATH)).status).toBe(403)
    expect((await emailsTo(other.email)).at(-1)!.subject).toBe('Your staff access to Longhaul was removed')
  })

  test('loses with the role the API tokens that act as staff, and keeps the others', async () => {
    const other = await addStaff('support')
    const make = async (scopes: string[]) =>
      (await other.browser.call('POST', '/api/user/api_tokens', { name: scopes.join(), scopes })).body.token as string
    const [asStaff, own] = [await make(['account:read', 'staff:read']), await make(['account:read'])]
    expect((await owner.browser.call('DELETE', `${PATH}/${other.id}`)).status).toBe(204)
    const user = (token: string) => browser().call('GET', '/api/user', undefined, { authorization: `Bearer ${token}` })
    expect((await user(asStaff)).status).toBe(401)
    expect((await user(own)).status).toBe(200)
    expect((await emailsTo(other.email)).at(-1)!.text).toContain('“account:read,staff:read”')
  })

  test('shows lately who they are before any of it', async () => {
    const other = await addStaff('support')
    clock.advance(11 * 60_000)
    for (const answer of [
      await put(owner.browser, other.id, 'network'),
      await owner.browser.call('DELETE', `${PATH}/${other.id}`),
      await owner.browser.call('POST', PATH, { email: other.email, roles: ['support'] }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'confirm_identity' } })
    }
  })

  test('stays, if they are the only one', async () => {
    expect((await put(owner.browser, owner.id, 'support')).status).toBe(409)
    expect((await owner.browser.call('DELETE', `${PATH}/${owner.id}`)).status).toBe(409)
    const closed = await addStaff('owner')
    await db.updateTable('users').set({ closed_at: clock.now() }).where('id', '=', closed.id).execute()
    expect((await owner.browser.call('DELETE', `${PATH}/${owner.id}`)).status).toBe(409)
  })

  test('of two owners who dismiss each other at once, one stays', async () => {
    const other = await addStaff('owner')
    const answers = await Promise.all([
      owner.browser.call('DELETE', `${PATH}/${other.id}`),
      other.browser.call('DELETE', `${PATH}/${owner.id}`),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const left = await db
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('closed_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
  })

  test('finds no one under the id of a customer', async () => {
    const { id } = await addUser()
    expect((await put(owner.browser, id, 'support')).status).toBe(404)
    expect((await owner.browser.call('DELETE', `${PATH}/${id}`)).status).toBe(404)
  })
})

test('all staff see who is staff, and how they sign in', async () => {
  const other = await addStaff('network')
  const { body } = await other.browser.call('GET', PATH)
  expect(body.secondFactorRequired).toBe(false)
  expect(new Set(body.staff.map((one: { id: number }) => one.id))).toEqual(new Set([owner.id, other.id]))
  expect(body.staff[0]).toMatchObject({ hasTotp: false, passkeys: 0, lastSignInIp: '192.0.2.1' })
})
