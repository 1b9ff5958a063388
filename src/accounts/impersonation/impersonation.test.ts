import type { UserId } from '../../kernel/ids.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { accountIdOf, lockIsAwaited } from '../../platform/db/testing.ts'
import { impersonationExpiryReconciler } from './impersonation-expiry-job.ts'
import { accountsApi } from '../contract.ts'
import { claimAsn } from '../asn/asn-ownership.ts'
import { createAccountsTestApp, PASSWORD, type Browser } from '../testing.ts'

const { addUser, signedIn, browser, emailsTo, db, clock, deps, registry } = await createAccountsTestApp()
const REASON = 'A session of theirs flaps since noon.'
const MINUTE = 60_000

let customer: { id: number; email: string }
let colleague: { id: number; email: string }
beforeAll(async () => {
  customer = await addUser()
  colleague = await addUser({ isAdmin: true })
})

const addStaff = async (roles: ('owner' | 'support' | 'network' | 'billing')[] = ['support']) => {
  const newUser = await addUser({ isAdmin: true })
  await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', newUser.id).execute()
  return { ...newUser, browser: await signedIn(newUser.email) }
}
const start = (mine: Browser, userId = customer.id, reason = REASON) =>
  mine.call('POST', `/api/admin/users/${userId}/impersonation`, { reason })

/** A member of staff who impersonates the customer, and a page that shows it. */
async function impersonation(userId = customer.id) {
  const staff = await addStaff()
  const { status, body } = await start(staff.browser, userId)
  expect(status).toBe(201)
  const here = { 'x-impersonation': String(body.id) }
  return {
    ...staff,
    session: body,
    call: (method: string, url: string, json?: unknown) => staff.browser.call(method, url, json, here),
    elevate: () => staff.browser.call('POST', '/api/impersonation/elevate', { reason: REASON }, here),
  }
}
const actionsOf = async (userId: number) =>
  await db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'actor_kind', 'data'])
    .where('account_id', '=', accountIdOf(userId))
    .orderBy('id')
    .execute()
const settle = async () => {
  const reconciler = impersonationExpiryReconciler(deps)
  for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(5_000))
}
const rename = { firstName: 'Bea' }

test('asking for the headers of what may be looked at is looking, and no deed', async () => {
  const me = await impersonation()
  expect((await me.call('HEAD', '/api/user')).status).toBe(200)
  await me.elevate()
  const actions = async () =>
    (await actionsOf(customer.id)).filter(({ action }) => action === 'impersonation.action_taken').length
  const before = await actions()
  expect((await me.call('HEAD', '/api/user')).status).toBe(200)
  expect(await actions()).toBe(before)
})

describe('who begins', () => {
  test.each([
    ['support', 201],
    ['owner', 201],
    ['network', 403],
    ['billing', 403],
  ] as const)('%s: %i', async (role, status) => {
    const staff = await addStaff([role])
    expect((await start(staff.browser)).status).toBe(status)
  })

  test('needs a reason of ten characters at least and five hundred at most', async () => {
    const staff = await addStaff()
    for (const reason of ['', 'too short', ' '.repeat(40), 'x'.repeat(501), 'a line\nand another one']) {
      const { status, body } = await start(staff.browser, customer.id, reason)
      expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: 'reason' })
    }
  })

  test('never acts for staff, for a closed account, for no one, or for two at once', async () => {
    const staff = await addStaff()
    const closed = await addUser()
    await db.updateTable('users').set({ closed_at: clock.now() }).where('id', '=', closed.id).execute()
    expect((await start(staff.browser, colleague.id)).status).toBe(409)
    expect((await start(staff.browser, staff.id)).status).toBe(409)
    expect((await start(staff.browser, closed.id)).status).toBe(404)
    expect((await start(staff.browser, 2_000_000)).status).toBe(404)
    expect((await start(staff.browser)).status).toBe(201)
    expect((await start(staff.browser)).status).toBe(403)
  })

  test('is told to the customer once, by mail and in their audit log, with name and reason', async () => {
    const { id, email } = await addUser()
    const staff = await impersonation(id)
    await staff.call('GET', '/api/user')
    const sentEmails = await emailsTo(email)
    expect(sentEmails.map(({ subject }) => subject)).toEqual(['Ann Example of Longhaul viewed your account'])
    expect(sentEmails[0]!.text).toContain(REASON)
    expect(await actionsOf(id)).toMatchObject([
      {
        action: 'impersonation.started',
        actor_id: staff.id,
        actor_kind: 'staff',
        data: { staff: 'Ann Example', reason: REASON },
      },
    ])
  })
})

describe('the member of staff who acts', () => {
  test('sees what the customer sees, and who they are themselves', async () => {
    const staff = await impersonation()
    const { body } = await staff.call('GET', '/api/user')
    expect(body).toMatchObject({
      id: customer.id,
      isAdmin: false,
      roles: [],
      impersonation: { staff: { email: staff.email }, reason: REASON, elevatedUntil: null },
    })
  })

  test('is refused what only staff may', async () => {
    const staff = await impersonation()
    expect((await staff.call('GET', `/api/admin/users/${customer.id}/asn_verifications/new`)).status).toBe(403)
    await staff.elevate()
    expect((await staff.call('POST', `/api/admin/users/${customer.id}/asn_verifications`, {})).status).toBe(403)
  })

  test('changes nothing before raising, and is in the audit log with what is changed then', async () => {
    const { id } = await addUser()
    const staff = await impersonation(id)
    expect(await staff.call('PATCH', '/api/user', rename)).toMatchObject({
      status: 403,
      body: { code: 'impersonation_read_only' },
    })
    expect((await staff.elevate()).status).toBe(200)
    const renamed = await staff.call('PATCH', '/api/user', rename)
    expect(renamed).toMatchObject({ status: 200, body: { firstName: 'Bea', impersonation: { id: staff.session.id } } })
    const events = await actionsOf(id)
    expect(events.map(({ action }) => action)).toEqual([
      'impersonation.started',
      'impersonation.elevated',
      'account.changed',
      'impersonation.action_taken',
    ])
    expect(new Set(events.map(({ actor_id, actor_kind }) => `${actor_kind} ${actor_id}`))).toEqual(
      new Set([`staff ${staff.id}`]),
    )
    expect(events.at(-1)!.data).toMatchObject({ call: 'PATCH /api/user', auditMessage: 'changed your name' })
  })

  test('raises only after showing who they are, with their own password', async () => {
    const staff = await impersonation()
    clock.advance(11 * MINUTE)
    expect(await staff.elevate()).toMatchObject({ status: 403, body: { code: 'confirm_identity' } })
    const confirm = (password: string) => staff.call('POST', '/api/session/confirmation', { password })
    expect((await confirm('not my password')).status).toBe(422)
    expect((await confirm(PASSWORD)).status).toBe(204)
    expect((await staff.elevate()).status).toBe(200)
    const theirs = await db.selectFrom('sessions').select('confirmed_at').where('user_id', '=', staff.id).execute()
    expect(theirs[0]!.confirmed_at).toEqual(clock.now())
  })

  const never = Object.entries(accountsApi).filter(
    ([, call]) => 'impersonation' in call && call.impersonation === 'never',
  )
  test.each(never.map(([key]) => key))('never, even raised: %s', async (key) => {
    const staff = await impersonation()
    await staff.elevate()
    const [method, path] = key.split(' ') as [string, string]
    expect(await staff.call(method, path.replace('{id}', '1'), {})).toMatchObject({
      status: 403,
      body: { code: 'impersonation_forbidden' },
    })
  })

  test('is never let to what signs in: passwords, factors, tokens, keys, the address, sessions, closing', () => {
    const open = Object.entries(accountsApi).filter(
      ([key, call]) =>
        !key.startsWith('GET ') &&
        /password|passkey|totp|recovery|token|ssh|email|close|sessions/.test(key) &&
        !('impersonation' in call) &&
        call.access !== 'admin',
    )
    expect(open.map(([key]) => key)).toEqual([
      'POST /api/user/asn_proofs/autnum_token',
      'POST /api/user/asn_proofs/autnum_token/check',
    ])
  })
})

describe('a page that does not know', () => {
  test('changes nothing for the customer', async () => {
    const staff = await impersonation()
    await staff.elevate()
    expect(await staff.browser.call('PATCH', '/api/user', rename)).toMatchObject({
      status: 403,
      body: { code: 'impersonation_header_missing' },
    })
  })

  test('changes nothing of staff once it is over', async () => {
    const staff = await impersonation()
    await staff.elevate()
    await staff.call('DELETE', '/api/impersonation')
    expect(await staff.call('PATCH', '/api/user', rename)).toMatchObject({
      status: 403,
      body: { code: 'impersonation_ended' },
    })
    expect((await staff.browser.call('GET', '/api/user')).body).toMatchObject({ id: staff.id, impersonation: null })
  })

  test('cannot be made up by staff who act for no customer', async () => {
    const mine = await signedIn(customer.email)
    expect(await mine.call('GET', '/api/user', undefined, { 'x-impersonation': '1' })).toMatchObject({ status: 403 })
    expect((await mine.call('POST', '/api/impersonation/elevate', { reason: REASON })).status).toBe(409)
    expect((await browser().call('DELETE', '/api/impersonation')).status).toBe(401)
  })
})

describe('it is over', () => {
  test('after an hour, automatically, and the audit log says so', async () => {
    const { id } = await addUser()
    const staff = await impersonation(id)
    for (let minutes = 0; minutes < 59; minutes++) clock.advance(MINUTE)
    expect((await staff.call('GET', '/api/user')).body.id).toBe(id)
    clock.advance(MINUTE)
    expect(await staff.call('GET', '/api/user')).toMatchObject({ status: 403, body: { code: 'impersonation_ended' } })
    expect((await staff.browser.call('GET', '/api/user')).body.id).toBe(staff.id)
    await settle()
    expect((await actionsOf(id)).at(-1)).toMatchObject({ action: 'impersonation.ended', actor_kind: 'system' })
    expect((await start(staff.browser, id)).status).toBe(201)
  })

  test('changes are refused after a quarter of an hour', async () => {
    const staff = await impersonation()
    await staff.elevate()
    clock.advance(15 * MINUTE)
    expect(await staff.call('PATCH', '/api/user', rename)).toMatchObject({
      status: 403,
      body: { code: 'impersonation_read_only' },
    })
  })

  test('an impersonation ends with the session of staff', async () => {
    const { id } = await addUser()
    const staff = await impersonation(id)
    const again = await signedIn(staff.email)
    await again.call('DELETE', '/api/sessions')
    expect((await staff.call('GET', '/api/user')).status).toBe(401)
    expect((await again.call('GET', '/api/user')).body.id).toBe(staff.id)
    await settle()
    expect((await actionsOf(id)).at(-1)!.action).toBe('impersonation.ended')
  })

  test('signing out ends the impersonation and signs the member of staff out', async () => {
    const staff = await impersonation()
    expect((await staff.call('DELETE', '/api/session')).status).toBe(204)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', staff.id).execute()).toEqual([])
  })

  test.each([
    ['dismissed', []],
    ['without the duty', ['network' as const]],
  ])('an impersonation ends when the member of staff is %s', async (_, roles) => {
    const staff = await impersonation()
    await staff.elevate()
    await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', staff.id).execute()
    expect(await staff.call('PATCH', '/api/user', rename)).toMatchObject({
      status: 403,
      body: { code: 'impersonation_ended' },
    })
    expect((await staff.browser.call('GET', '/api/user')).body.id).toBe(staff.id)
  })

  test('an impersonation ends when the customer becomes staff or closes the account', async () => {
    for (const change of [{ staff_roles: ['billing' as const] }, { closed_at: clock.now() }]) {
      const { id } = await addUser()
      const staff = await impersonation(id)
      await db.updateTable('users').set(change).where('id', '=', id).execute()
      expect((await staff.call('GET', '/api/user')).status).toBe(403)
    }
  })

  test('an impersonation that ends in the middle of a change undoes the change', async () => {
    const { id } = await addUser()
    const staff = await impersonation(id)
    await staff.elevate()
    const held = await lockRow(id)
    const change = staff.call('PATCH', '/api/user', rename)
    await held.isWaitedFor()
    await db
      .updateTable('impersonation_sessions')
      .set({ ended_at: clock.now() })
      .where('id', '=', staff.session.id)
      .execute()
    held.release()
    expect(await change).toMatchObject({ status: 403, body: { code: 'impersonation_ended' } })
    const row = await db.selectFrom('users').select('first_name').where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.first_name).toBe('Ann')
  })
})

describe('a look at the registry, which commits what it found by itself', () => {
  const CHECK = '/api/user/asn_proofs/autnum_token/check'
  let asn = 611_000
  /** The remark is in the registry object; `meanwhile` runs while the registry is asked. */
  async function looking(meanwhile: (session: number) => Promise<unknown>) {
    const { id } = await addUser()
    const number = ++asn
    await inTransaction(db, (on) => claimAsn(on, SYSTEM, accountIdOf(id), number))
    const staff = await impersonation(id)
    await staff.elevate()
    const begun = await staff.call('POST', '/api/user/asn_proofs/autnum_token', {})
    const { remark } = begun.body.proofs.find(({ method }: { method: string }) => method === 'autnum_token')
    const holder = { asn: number, handle: `AS${number}`, holder: 'Plover', registrants: ['ORG-P'], contacts: [] }
    registry.records.set(number, { ...holder, remarks: [remark] })
    registry.whileAsked = () => meanwhile(staff.session.id)
    const answer = await staff.call('POST', CHECK, {})
    registry.whileAsked = null
    const { verified_at: verified } = await db
      .selectFrom('asn_ownerships')
      .select('verified_at')
      .where('account_id', '=', accountIdOf(id))
      .executeTakeFirstOrThrow()
    const lines = (await actionsOf(id)).filter(({ data }) => JSON.stringify(data).includes(CHECK))
    return { answer, verified, lines }
  }
  const end = (session: number) =>
    db.updateTable('impersonation_sessions').set({ ended_at: clock.now() }).where('id', '=', session).execute()

  test('is answered as it ended, and is in the audit log, though acting was over by then', async () => {
    const { answer, verified, lines } = await looking(end)
    expect(answer).toMatchObject({ status: 200, body: { asnVerifiedAt: clock.now().toISOString() } })
    expect(verified).not.toBeNull()
    expect(lines).toMatchObject([{ action: 'impersonation.action_taken', actor_kind: 'staff' }])
  })

  test('is not begun when acting was over before', async () => {
    const { id } = await addUser()
    const staff = await impersonation(id)
    await staff.elevate()
    await end(staff.session.id)
    expect((await staff.call('POST', CHECK, {})).status).toBe(403)
  })
})

/** Locks the customer's row, so that a change to it waits. */
async function lockRow(id: number) {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let ready = () => {}
  const locked = new Promise<void>((resolve) => (ready = resolve))
  void db.transaction().execute(async (on) => {
    await on
      .selectFrom('users')
      .select('id')
      .where('id', '=', id as UserId)
      .forUpdate()
      .execute()
    ready()
    await released
  })
  await locked
  return { release, isWaitedFor: () => lockIsAwaited(db) }
}
