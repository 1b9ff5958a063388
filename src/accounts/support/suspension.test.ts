import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { STAFF_ROLES, type StaffRole } from '../../kernel/required-role.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { readBillingStatus, writeBillingStatus } from '../billing-status.ts'
import { createAccountsTestApp, type Browser } from '../testing.ts'

const { addUser, browser, signedIn, emailsTo, db, clock } = await createAccountsTestApp()

const MINUTE = 60_000
const REASON = 'Spam from 203.0.113.7, and no answer to three abuse reports.'
const LIFT_REASON = 'The relay is closed, says ticket 4711.'

const addStaff = async (...roles: StaffRole[]) => {
  const newUser = await addUser({ isAdmin: true })
  await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', newUser.id).execute()
  return { ...newUser, browser: await signedIn(newUser.email) }
}
const of = (id: number) => `/api/admin/users/${id}/suspensions`
const suspend = (by: Browser, id: number) => by.call('POST', of(id), { reason: REASON })
const lift = (by: Browser, id: number) => by.call('POST', `${of(id)}/lift`, { reason: LIFT_REASON })
const { browser: support } = await addStaff('support')

describe('suspending and lifting', () => {
  test('is support’s alone', async () => {
    const { email } = await addUser()
    const customer = await signedIn(email)
    for (const role of STAFF_ROLES) {
      const { id } = await addUser()
      const { browser: from } = await addStaff(role)
      const answers = [await suspend(from, id), await lift(from, id)]
      if (role === 'support' || role === 'owner') expect(answers.map(({ status }) => status)).toEqual([201, 200])
      else for (const { body } of answers) expect(body.code).toBe('insufficient_role')
      expect((await from.call('GET', of(id))).status).toBe(200)
    }
    const { id } = await addUser()
    for (const act of [suspend, lift]) {
      expect((await act(customer, id)).body.code).toBe('insufficient_role')
      expect((await act(browser(), id)).status).toBe(401)
      expect((await act(support, 8_388_607)).status).toBe(404)
    }
    expect((await customer.call('GET', of(id))).body.code).toBe('insufficient_role')
    expect((await support.call('GET', of(8_388_607))).status).toBe(404)
  })

  test('wants a proof of the last ten minutes', async () => {
    const { id } = await addUser()
    const { browser: from } = await addStaff('support')
    clock.advance(10 * MINUTE)
    expect((await suspend(from, id)).body.code).toBe('confirm_identity')
    await suspend((await addStaff('support')).browser, id)
    expect((await lift(from, id)).body.code).toBe('confirm_identity')
  })

  test.each(['suspensions', 'suspensions/lift'])('needs a reason: %s', async (what) => {
    const { id } = await addUser()
    const { browser: from } = await addStaff('support')
    expect(await from.call('POST', `/api/admin/users/${id}/${what}`, { reason: 'short' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'reason' }] },
    })
  })

  test('is refused where there is nothing to do', async () => {
    const { id } = await addUser()
    const { browser: from } = await addStaff('support')
    expect(await lift(from, id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await suspend(from, id)
    expect(await suspend(from, id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    // Billing's own suspension cannot be lifted here.
    const { id: debtor } = await addUser()
    await writeBillingStatus(db, SYSTEM, accountIdOf(debtor), { suspended: true, reason: 'An invoice is open.' })
    expect((await lift(from, debtor)).status).toBe(409)
  })

  test('stays on record, newest first, with who did it', async () => {
    const { id } = await addUser()
    const { browser: from, id: byId } = await addStaff('support')
    const by = { id: byId, name: 'Ann Example' }
    const at = clock.now().toISOString()
    await suspend(from, id)
    expect((await lift(from, id)).body).toEqual({
      suspensions: [{ id: expect.any(Number), reason: REASON, at, by, lifted: { at, by, reason: LIFT_REASON } }],
    })
    const { body } = await suspend(from, id)
    expect(body.suspensions.map(({ lifted }: { lifted: unknown }) => lifted)).toEqual([null, expect.anything()])
    const entries = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind', 'actor_id', 'subject_id', 'data'])
      .where('account_id', '=', accountIdOf(id))
      .where('action', 'like', 'account.suspen%')
      .orderBy('id')
      .execute()
    const entry = { actor_kind: 'staff', actor_id: byId, subject_id: id }
    expect(entries).toEqual([
      { ...entry, action: 'account.suspended', data: { reason: REASON } },
      { ...entry, action: 'account.suspension_lifted', data: { reason: LIFT_REASON } },
      { ...entry, action: 'account.suspended', data: { reason: REASON } },
    ])
  })
})

describe('a suspended customer', () => {
  test('is signed out once, signs in again, and learns why', async () => {
    const { id, email } = await addUser()
    const { browser: from } = await addStaff('support')
    const before = await signedIn(email)
    await suspend(from, id)
    expect((await before.call('GET', '/api/user')).status).toBe(401)
    const after = await signedIn(email)
    expect((await after.call('GET', '/api/user')).body.suspension).toEqual({
      reason: REASON,
      since: clock.now().toISOString(),
    })
    const sent = (await emailsTo(email)).find(({ subject }) => subject.includes('is suspended'))!
    for (const word of [REASON, 'support@example.net', 'Paying an invoice does not lift']) {
      expect(sent.text.replaceAll(/\s+/g, ' ')).toContain(word)
    }
    const activity = (await after.call('GET', '/api/audit_events')).body.events
    expect(activity).toContainEqual(
      expect.objectContaining({ action: 'account.suspended', by: 'staff', data: { reason: REASON } }),
    )

    await lift(from, id)
    expect((await after.call('GET', '/api/user')).body.suspension).toBeNull()
    expect((await emailsTo(email)).at(-1)!.subject).toContain('no longer suspended')
    const { events } = (await after.call('GET', '/api/audit_events')).body
    expect(events[0]).toMatchObject({ action: 'account.suspension_lifted', data: {} })
    expect(JSON.stringify(events)).not.toContain('4711')
  })

  test('still changes their own settings', async () => {
    const { id, email } = await addUser()
    await suspend((await addStaff('support')).browser, id)
    expect((await (await signedIn(email)).call('PATCH', '/api/user', { firstName: 'Anna' })).status).toBe(200)
  })

  test('cannot close the account', async () => {
    const { id, email } = await addUser()
    await suspend((await addStaff('support')).browser, id)
    const mine = await signedIn(email)
    expect((await mine.call('GET', '/api/user/close')).body.blockers).toEqual(['A suspended account can’t be closed.'])
    expect((await mine.call('POST', '/api/user/close', { email })).status).toBe(409)
  })

  test('stays suspended when billing has what it wants, and the other way round', async () => {
    const { id } = await addUser()
    const { browser: from } = await addStaff('support')
    const status = () => readBillingStatus(db, accountIdOf(id))
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { suspended: true, reason: 'An invoice is open.' })
    await suspend(from, id)
    expect(await status()).toMatchObject({ suspended: true, byStaff: true, reason: REASON })
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { suspended: false, reason: null })
    expect(await status()).toMatchObject({ suspended: true, byStaff: true, reason: REASON })
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { suspended: true, reason: 'An invoice is open.' })
    await lift(from, id)
    expect(await status()).toMatchObject({ suspended: true, byStaff: false, reason: 'An invoice is open.' })
    // Billing writes only its own row, and never the reason that staff gave.
    await suspend(from, id)
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { mayBeBilled: true })
    await lift(from, id)
    expect(await status()).toMatchObject({ suspended: true, reason: 'An invoice is open.' })
  })

  test('is suspended by billing as well where that comes later', async () => {
    const { id } = await addUser()
    const { browser: from } = await addStaff('support')
    await suspend(from, id)
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { suspended: true })
    await lift(from, id)
    expect(await readBillingStatus(db, accountIdOf(id))).toMatchObject({ suspended: true, byStaff: false })
  })
})

describe('on an account of staff', () => {
  test('only an owner suspends and lifts', async () => {
    const { id } = await addStaff('network')
    const { browser: from } = await addStaff('support')
    const { browser: by } = await addStaff('owner')
    expect(await suspend(from, id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await suspend(by, id)).status).toBe(201)
    expect(await lift(from, id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await lift(by, id)).status).toBe(200)
  })

  test('no one suspends themselves', async () => {
    const { id, browser: mine } = await addStaff('owner')
    expect(await suspend(mine, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test('everything that only staff may do is refused, to a browser and to a token', async () => {
    const { id, email, browser: mine } = await addStaff('support')
    const scopes = ['staff:read', 'staff:write']
    const { token } = (await mine.call('POST', '/api/user/api_tokens', { name: 'x', scopes })).body
    const { browser: by } = await addStaff('owner')
    await suspend(by, id)
    const again = await signedIn(email)
    const program = browser()
    const { id: customer } = await addUser()
    for (const send of [
      again.call,
      (method: string, url: string, body?: unknown) =>
        program.call(method, url, body, { authorization: `Bearer ${token}` }),
    ]) {
      for (const [method, url, body] of [
        ['GET', '/api/admin/staff'],
        ['GET', of(customer)],
        ['POST', `/api/admin/users/${customer}/notes`, { body: 'x' }],
        ['POST', `/api/admin/users/${customer}/impersonation`, { reason: 'A long enough reason' }],
      ] as const) {
        expect(await send(method, url, body), url).toMatchObject({
          status: 403,
          body: { code: 'account_suspended_by_staff' },
        })
      }
    }
    await lift(by, id)
    expect((await again.call('GET', '/api/admin/staff')).status).toBe(200)
  })

  test('of two owners who suspend each other at once, one stays', async () => {
    const [one, other] = [await addStaff('owner'), await addStaff('owner')]
    // Both requests pass the checks before either takes effect.
    const waiting = () =>
      sql<{ count: number }>`select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    const answers = await db.transaction().execute(async (held) => {
      await held.selectFrom('users').select('id').where('id', 'in', [one.id, other.id]).forUpdate().execute()
      const both = Promise.all([suspend(one.browser, other.id), suspend(other.browser, one.id)])
      await expect.poll(async () => (await waiting()).rows[0]!.count, { timeout: 10_000 }).toBe(2)
      return { both }
    })
    const statuses = (await answers.both).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 403])
  })
})
