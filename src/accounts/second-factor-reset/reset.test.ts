import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { STAFF_ROLES } from '../../kernel/required-role.ts'
import { createAuthenticator } from '../second-factor/testing-authenticator.ts'
import { issueMailToken } from '../emails/mail-tokens.ts'
import { PASSWORD, type Browser } from '../testing.ts'
import { secondFactorResetReconciler } from './reset-job.ts'
import { createResetTestApp, DAY, HOUR, IDENTITY_CHECK, REASON } from './testing.ts'

const testApp = await createResetTestApp()
const { addProtected, addStaff, addUser, approve, browser, cancel, clock, codeNow, db, deps, emailsTo } = testApp
const { as, latest, list, of, request, runJob, stateOf, stopTokenTo, writeEvent } = testApp

const one = await addStaff('support')
const other = await addStaff('support')
const owner = await addStaff('owner')

const signIn = (email: string, code?: string, from: Browser = browser()) =>
  from.call('POST', '/api/session', { email, password: PASSWORD, ...(code === undefined ? {} : { code }) })
const stopByLink = (token: string, from: Browser = browser()) =>
  from.call('POST', '/api/verify/second_factor_reset', { token })
const before = (ms: number): Date => new Date(clock.now().getTime() - ms)
const subjects = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject)
const textTo = async (email: string) => (await emailsTo(email)).at(-1)!.text.replaceAll(/\s+/g, ' ')

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

describe('two people and a day', () => {
  test('remove app, passkeys, codes, sessions, tokens and links, and the password alone signs in', async () => {
    const { id, email } = await addUser()
    const mine = await testApp.signedIn(email)
    const { body: question } = await mine.call('POST', '/api/user/passkeys/requests', {})
    const credential = createAuthenticator().create(question)
    const { body: passkey } = await mine.call('POST', '/api/user/passkeys', { name: 'Phone', credential })
    expect(passkey.recoveryCodes).toHaveLength(10)
    await testApp.addFactors(id)
    await mine.call('POST', '/api/user/api_tokens', { name: 'ci', scopes: ['account:read'] })
    await mine.call('POST', '/api/user/email', { email: 'thief@example.net' })
    await mine.call('POST', '/api/password/reset', { email })
    await testApp.answerResetRequests()
    const bystander = await addProtected()

    expect((await request(one, id)).status).toBe(201)
    expect((await approve(other, id)).status).toBe(200)
    clock.advance(DAY - 1)
    await runJob()
    // Also when it runs too early.
    await secondFactorResetReconciler(deps).reconcile(id, AbortSignal.timeout(5_000))
    expect(await stateOf(one, id)).toBe('approved')
    expect((await signIn(email)).body.code).toBe('totp_required')
    clock.advance(1)
    await runJob()
    expect(await stateOf(one, id)).toBe('completed')
    for (const table of [
      'totp_factors',
      'passkeys',
      'recovery_codes',
      'sessions',
      'api_tokens',
      'mail_tokens',
      'email_changes',
    ] as const) {
      expect(await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute(), table).toEqual([])
    }
    expect((await mine.call('GET', '/api/user')).status).toBe(401)
    const after = browser()
    expect(await signIn(email, undefined, after)).toMatchObject({
      status: 201,
      body: { hasSecondFactor: false, secondFactorReset: null },
    })
    expect(await textTo(email)).toContain('new')
    const sent = (await emailsTo(email)).find(({ subject }) => subject.endsWith('was reset'))!.text
    for (const word of ['password alone', '“ci”']) expect(sent.replaceAll(/\s+/g, ' ')).toContain(word)
    expect((await signIn(bystander.email)).body.code).toBe('totp_required')
    expect(await actionsOf(id)).toEqual([
      `requested by staff ${one.id}`,
      `approved by staff ${other.id}`,
      'completed by system',
    ])
    // Running the job again sends no second email.
    const mails = await subjects(email)
    await runJob()
    expect(await subjects(email)).toEqual(mails)
  })

  test('are shown to all staff, with who did what', async () => {
    const { id } = await requested()
    const requestedAt = clock.now()
    const network = await addStaff('network')
    await approve(other, id)
    const { resets, denied, waitHours } = await list(network, id)
    expect(resets).toEqual([
      {
        id: await latest(id),
        state: 'approved',
        reason: REASON,
        identityCheck: IDENTITY_CHECK,
        requestedAt: requestedAt.toISOString(),
        requestedBy: { id: one.id, name: 'Ann Example' },
        approveBefore: new Date(requestedAt.getTime() + 72 * HOUR).toISOString(),
        approval: {
          at: clock.now().toISOString(),
          by: { id: other.id, name: 'Ann Example' },
          dueAt: new Date(clock.now().getTime() + DAY).toISOString(),
        },
        end: null,
      },
    ])
    expect(denied.cancel).toContain('Requires the Support')
    expect(waitHours).toBe(24)
    await cancel(owner, id)
    expect((await list(one, id)).resets[0].end).toEqual({
      at: clock.now().toISOString(),
      by: { id: owner.id, name: 'Ann Example' },
      reason: 'It was a mistake of ours.',
    })
  })

  test('are both of support, and neither is the customer or a stranger', async () => {
    for (const role of STAFF_ROLES) {
      const { id } = await addProtected()
      const staff = await addStaff(role)
      const may = role === 'support' || role === 'owner'
      expect((await request(staff, id)).status).toBe(may ? 201 : 403)
      if (!may) await request(one, id)
      expect((await approve(may ? other : staff, id)).status).toBe(may ? 200 : 403)
      expect((await cancel(staff, id)).status).toBe(may ? 200 : 403)
      expect((await (await as(staff)).call('GET', of(id))).status).toBe(200)
    }
    const { id, email } = await addUser()
    const customer = await testApp.signedIn(email)
    for (const from of [customer, browser()]) {
      const status = from === customer ? 403 : 401
      expect((await from.call('POST', of(id), { reason: REASON, identityCheck: IDENTITY_CHECK })).status).toBe(status)
      expect((await from.call('POST', of(id, '/1/approve'), {})).status).toBe(status)
      expect((await from.call('POST', of(id, '/1/cancel'), { reason: REASON })).status).toBe(status)
      expect((await from.call('GET', of(id))).status).toBe(status)
    }
    expect((await request(one, 8_388_607 as UserId)).status).toBe(404)
  })

  test('confirm their identity each time', async () => {
    const { id } = await requested()
    await as(other)
    clock.advance(10 * 60_000)
    const from = other.browser
    const reset = await latest(id)
    for (const [path, body] of [
      [of(id), { reason: REASON, identityCheck: IDENTITY_CHECK }],
      [of(id, `/${reset}/approve`), {}],
      [of(id, `/${reset}/cancel`), { reason: REASON }],
    ] as const) {
      expect((await from.call('POST', path, body)).body.code, path).toBe('confirm_identity')
    }
  })

  test('say why, and how they checked who asks', async () => {
    const { id } = await addProtected()
    const from = await as(one)
    for (const [field, body] of [
      ['reason', { reason: 'short', identityCheck: IDENTITY_CHECK }],
      ['identityCheck', { reason: REASON, identityCheck: 'call' }],
      ['identityCheck', { reason: REASON }],
    ] as const) {
      expect(await from.call('POST', of(id), body)).toMatchObject({ status: 422, body: { errors: [{ field }] } })
    }
  })

  test('are two in the database as well, and what they wrote stays', async () => {
    const { id } = await requested()
    const row = db.updateTable('second_factor_resets').where('user_id', '=', id)
    const approval = { approved_at: clock.now(), due_at: clock.now() }
    await expect(row.set({ ...approval, approved_by: one.id }).execute()).rejects.toThrow('two_people')
    await expect(row.set({ ...approval, approved_by: id }).execute()).rejects.toThrow('two_people')
    await expect(row.set({ reason: 'Another reason.' }).execute()).rejects.toThrow('never changed')
    await approve(other, id)
    await expect(row.set({ due_at: clock.now() }).execute()).rejects.toThrow('never changed')
    await cancel(one, id)
    await expect(row.set({ outcome: 'completed' }).execute()).rejects.toThrow('never changed')
    await expect(db.deleteFrom('second_factor_resets').execute()).rejects.toThrow('never changed')
  })
})

describe('a request', () => {
  test('is approved for 72 hours and no longer', async () => {
    const [early, late] = [await requested(), await requested()]
    clock.advance(72 * HOUR - 1)
    expect((await approve(other, early.id)).status).toBe(200)
    clock.advance(1)
    expect(await approve(other, late.id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect(await stateOf(one, late.id)).toBe('expired')
    await runJob()
    expect(await actionsOf(late.id)).toEqual([`requested by staff ${one.id}`, 'expired by system'])
    expect(await textTo(late.email)).toContain('No second member of staff approved the reset in time')
    expect((await request(one, late.id)).status).toBe(201)
  })

  test('is not approved by who made it, nor by the user', async () => {
    const { id } = await requested()
    expect(await approve(one, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await list(one, id)).denied.approve).toContain('You requested this reset')
    expect((await list(other, id)).denied).toMatchObject({ approve: null, cancel: null })
    const member = await addStaff('owner')
    await testApp.addFactors(member.id)
    expect((await request(owner, member.id)).status).toBe(201)
    expect(await approve(member, member.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await cancel(owner, member.id)
    expect(await request(member, member.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await list(member, member.id)).denied.request).toContain('your own second factor')
  })

  test.each(['account.staff_granted', 'account.roles_changed'])(
    'is neither made nor approved for seven days after %s in the portal',
    async (action) => {
      const [mine, theirs] = [await addProtected(), await requested()]
      const recent = await addStaff('support')
      await writeEvent(recent.id, action, before(7 * DAY - 1))
      for (const answer of [await request(recent, mine.id), await approve(recent, theirs.id)]) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      }
      expect((await list(recent, theirs.id)).denied.approve).toContain('in the last 7 days')
      clock.advance(1)
      expect((await request(recent, mine.id)).status).toBe(201)
      expect((await approve(recent, theirs.id)).status).toBe(200)
    },
  )

  test('is approved at once by who was granted access from the operator’s shell', async () => {
    const { id } = await requested()
    const recent = await addStaff('support')
    await writeEvent(recent.id, 'account.staff_granted', before(HOUR), { kind: 'system' })
    expect((await approve(recent, id)).status).toBe(200)
  })

  test('finds no approver among one member of staff, and says so', async () => {
    const { id } = await requested()
    const everybody = await db.selectFrom('users').select(['id', 'staff_roles']).where('is_admin', '=', true).execute()
    await db.updateTable('users').set({ staff_roles: [] }).where('id', '!=', one.id).execute()
    expect((await list(one, id)).approvers).toBe(0)
    for (const { id: member, staff_roles } of everybody) {
      await db.updateTable('users').set({ staff_roles }).where('id', '=', member).execute()
    }
    const all = (await list(one, id)).approvers
    expect(all).toBeGreaterThan(0)
    const recent = await addStaff('support')
    expect((await list(one, id)).approvers).toBe(all + 1)
    await writeEvent(recent.id, 'account.roles_changed', before(DAY))
    await addStaff('network')
    expect((await list(one, id)).approvers).toBe(all)
  })

  test('needs a second factor to reset, and comes one at a time', async () => {
    const { id } = await addUser()
    expect((await request(one, id)).status).toBe(409)
    const { id: busy } = await requested()
    expect((await request(other, busy)).status).toBe(409)
    expect((await list(other, busy)).denied.request).toContain('already requested')
  })

  test('tells every other member of staff', async () => {
    const network = await addStaff('network')
    const count = async (email: string) =>
      (await subjects(email)).filter((text) => text.startsWith('Second factor')).length
    const [mine, theirs] = [await count(one.email), await count(network.email)]
    const { email } = await requested()
    expect([await count(one.email), await count(network.email)]).toEqual([mine, theirs + 1])
    const text = await textTo(network.email)
    for (const word of [email, REASON, IDENTITY_CHECK]) expect(text).toContain(word)
  })
})

describe('on an account of staff', () => {
  test('only owners request, approve and cancel', async () => {
    const { id } = await addProtected()
    await db
      .updateTable('users')
      .set({ staff_roles: ['network'] })
      .where('id', '=', id)
      .execute()
    const second = await addStaff('owner')
    expect(await request(one, id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await request(owner, id)).status).toBe(201)
    expect(await approve(other, id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await cancel(other, id)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await approve(second, id)).status).toBe(200)
    expect((await cancel(second, id)).status).toBe(200)
  })

  test('a request from before it was one is not approved and not carried out', async () => {
    const [waiting, due] = [await requested(), await approved()]
    for (const { id } of [waiting, due]) {
      await db
        .updateTable('users')
        .set({ staff_roles: ['owner'] })
        .where('id', '=', id)
        .execute()
    }
    expect((await approve(owner, waiting.id)).status).toBe(409)
    clock.advance(DAY)
    await runJob()
    expect(await stateOf(owner, due.id)).toBe('void')
    expect((await signIn(due.email)).body.code).toBe('totp_required')
  })
})

describe('the customer', () => {
  test('is told at once, without the reason, and sees it in the portal', async () => {
    const { id, email } = await addProtected()
    const mine = browser()
    await signIn(email, codeNow(), mine)
    await request(one, id)
    expect((await mine.call('GET', '/api/user')).body.secondFactorReset).toEqual({
      requestedAt: clock.now().toISOString(),
      approveBefore: new Date(clock.now().getTime() + 72 * HOUR).toISOString(),
      dueAt: null,
    })
    expect(await textTo(email)).toContain('Once it is approved and 24 hours have passed')
    await approve(other, id)
    const dueAt = new Date(clock.now().getTime() + DAY).toISOString()
    expect((await mine.call('GET', '/api/user')).body.secondFactorReset).toMatchObject({ dueAt })
    expect((await subjects(email)).at(-1)).toContain(dueAt.slice(0, 10))
    const read = JSON.stringify([
      (await mine.call('GET', '/api/audit_events')).body,
      (await mine.call('GET', '/api/user')).body,
      await emailsTo(email),
    ])
    expect(read).toContain('second_factor_reset.requested')
    for (const secret of [REASON, IDENTITY_CHECK]) expect(read).not.toContain(secret)
  })

  test('is told at the former address as well, for 30 days after it changed', async () => {
    for (const [age, emails] of [
      [30 * DAY - 1, 1],
      [30 * DAY, 0],
    ] as const) {
      const { id } = await addProtected()
      const from = `former-${id}@example.net`
      await writeEvent(id, 'email.changed', before(age), { kind: 'user', data: { from, to: 'now@example.net' } })
      await request(one, id)
      expect(await subjects(from)).toHaveLength(emails)
      if (emails) expect((await stopByLink(await stopTokenTo(from))).status).toBe(204)
    }
  })

  test('stops it with the link, signed out, once', async () => {
    const { id, email } = await requested()
    const first = await stopTokenTo(email)
    await approve(other, id)
    const second = await stopTokenTo(email)
    expect((await browser().call('GET', `/api/verify/second_factor_reset?token=${first}`)).status).toBe(404)
    expect(await stateOf(one, id)).toBe('approved')
    expect((await stopByLink(first)).status).toBe(204)
    expect(await stateOf(one, id)).toBe('stopped')
    for (const token of [first, second]) {
      expect(await stopByLink(token)).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } })
    }
    expect(await textTo(email)).toContain('You stopped the reset')
    expect((await actionsOf(id)).at(-1)).toBe(`stopped by user ${id}`)
    clock.advance(2 * DAY)
    await runJob()
    expect((await signIn(email)).body.code).toBe('totp_required')
  })

  test('cannot stop a later reset with the link of an earlier one', async () => {
    const { id, email } = await requested()
    const old = await stopTokenTo(email)
    await cancel(one, id)
    expect(await db.selectFrom('mail_tokens').select('purpose').where('user_id', '=', id).execute()).toEqual([])
    await request(one, id)
    expect((await stopByLink(old)).status).toBe(422)
    const misdirected = await issueMailToken(db, 'stop_second_factor_reset', id, clock.now(), { reset: 0 })
    expect((await stopByLink(misdirected)).status).toBe(422)
    expect(await stateOf(one, id)).toBe('requested')
  })

  test('stops it with the first link until the longest wait is over', async () => {
    const longest = deps as { secondFactorResetWaitMs: number }
    const { id, email } = await requested()
    const first = await stopTokenTo(email)
    clock.advance(72 * HOUR - 1)
    longest.secondFactorResetWaitMs = 7 * DAY
    try {
      expect((await approve(other, id)).status).toBe(200)
    } finally {
      longest.secondFactorResetWaitMs = DAY
    }
    clock.advance(7 * DAY - 1)
    await runJob()
    expect((await stopByLink(first)).status).toBe(204)
    expect(await stateOf(one, id)).toBe('stopped')
  })

  test('is refused after twenty wrong links from one network, and others are not', async () => {
    const { email } = await requested()
    const from = browser('198.51.100.7')
    for (let wrong = 0; wrong < 20; wrong++) expect((await stopByLink(`never-issued-${wrong}`, from)).status).toBe(422)
    expect((await stopByLink('never-issued', from)).status).toBe(429)
    expect((await stopByLink(await stopTokenTo(email))).status).toBe(204)
  })

  test('stops it while signed in, and staff who view as them cannot', async () => {
    const { id, email } = await addProtected()
    const mine = browser()
    await signIn(email, codeNow(), mine)
    expect((await mine.call('POST', '/api/user/second_factor_reset/stop', {})).status).toBe(409)
    await request(one, id)
    const support = await as(other)
    await support.call('POST', `/api/admin/users/${id}/impersonation`, { reason: 'They asked on the phone.' })
    expect((await support.call('POST', '/api/user/second_factor_reset/stop', {})).status).toBe(403)
    await support.call('DELETE', '/api/impersonation')
    const scopes = ['account:read', 'account:write']
    const { token } = (await mine.call('POST', '/api/user/api_tokens', { name: 'ci', scopes })).body
    const program = { authorization: `Bearer ${token}` }
    expect((await browser().call('POST', '/api/user/second_factor_reset/stop', {}, program)).status).toBe(403)
    expect((await mine.call('POST', '/api/user/second_factor_reset/stop', {})).status).toBe(204)
    expect(await stateOf(one, id)).toBe('stopped')
    expect((await mine.call('GET', '/api/user')).body.secondFactorReset).toBe(null)
  })

  test('reads that staff canceled it', async () => {
    const { id, email } = await requested()
    await cancel(one, id)
    expect(await textTo(email)).toContain('Our staff canceled the reset')
    expect((await cancel(one, id)).status).toBe(409)
    expect((await approve(other, id)).status).toBe(409)
  })

  test('closes the account, and nothing is left to reset', async () => {
    const { id, email } = await addProtected()
    const mine = browser()
    await signIn(email, codeNow(), mine)
    await request(one, id)
    expect((await mine.call('POST', '/api/user/close', { email })).status).toBe(204)
    expect(await stateOf(one, id)).toBe('void')
    expect((await list(one, id)).denied.approve).toBe(null)
  })
})
