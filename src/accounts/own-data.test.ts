import type { UserId } from '../kernel/ids.ts'
import { describe, expect, test } from 'vitest'
import { SYSTEM, audit } from '../platform/audit.ts'
import { accountIdOf, lockIsAwaited } from '../platform/db/testing.ts'
import { readBillingStatus, writeBillingStatus } from './billing-status.ts'
import { createAccountsTestApp } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, db, signedIn } = testApp

const keyOf = (seed: number): string => {
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.alloc(32, seed)]).toString('base64')}`
}

describe('own names', () => {
  test('change one at a time, and nothing else can be changed along with them', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    expect(await mine.call('PATCH', '/api/user', { lastName: ' Reed ' })).toMatchObject({
      status: 200,
      body: { firstName: 'Ann', lastName: 'Reed' },
    })
    for (const field of ['isAdmin', 'email', 'asnVerifiedAt', '__proto__x', 'id']) {
      const answer = await mine.call('PATCH', '/api/user', { [field]: true })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } })
    }
    expect((await mine.call('PATCH', '/api/user', { firstName: 'Line\nbreak' })).status).toBe(422)
  })
})

describe('SSH keys', () => {
  test('are added, listed and removed', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const added = await mine.call('POST', '/api/user/ssh_keys', { publicKey: `${keyOf(1)} ann@laptop` })
    expect(added).toMatchObject({ status: 201, body: { name: 'ann@laptop', type: 'ssh-ed25519', publicKey: keyOf(1) } })
    expect((await mine.call('GET', '/api/user/ssh_keys')).body).toEqual([added.body])
    expect((await mine.call('DELETE', `/api/user/ssh_keys/${added.body.id}`)).status).toBe(204)
    expect((await mine.call('GET', '/api/user/ssh_keys')).body).toEqual([])
  })

  test('are taken once each and twenty at most, also when they come at once', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const add = (seed: number) => mine.call('POST', '/api/user/ssh_keys', { publicKey: keyOf(seed) })
    await add(1)
    expect(await add(1)).toMatchObject({ status: 422, body: { errors: [{ field: 'publicKey' }] } })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => add(i + 2)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(19)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(6)
  })

  test("SSH keys of another account are indistinguishable from absent ones, and may equal one's own", async () => {
    const [one, other] = [await addUser(), await addUser()]
    const [mine, theirs] = [await signedIn(one.email), await signedIn(other.email)]
    const added = await theirs.call('POST', '/api/user/ssh_keys', { publicKey: keyOf(7) })
    expect((await mine.call('DELETE', `/api/user/ssh_keys/${added.body.id}`)).status).toBe(404)
    expect((await mine.call('POST', '/api/user/ssh_keys', { publicKey: keyOf(7) })).status).toBe(201)
    expect((await theirs.call('GET', '/api/user/ssh_keys')).body).toHaveLength(1)
  })

  test('added twice under one Idempotency-Key are one key', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const headers = { 'idempotency-key': 'a-key-of-the-client' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => mine.call('POST', '/api/user/ssh_keys', { publicKey: keyOf(9) }, headers)),
    )
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect((await mine.call('POST', '/api/user/ssh_keys', { publicKey: keyOf(8) }, headers)).status).toBe(422)
  })
})

describe('the audit log', () => {
  test('shows its owner what happened, page by page, and no one else', async () => {
    const { id, email } = await addUser()
    const other = await addUser()
    for (let i = 0; i < 7; i++) {
      await audit(db, SYSTEM, {
        action: 'router.created',
        subject: { type: 'router', id: i },
        accountId: accountIdOf(id),
      })
    }
    const mine = await signedIn(email)
    const seen: number[] = []
    let next: number | null = null
    do {
      const page: { status: number; body: { events: { id: number }[]; next: number | null } } = await mine.call(
        'GET',
        `/api/audit_events?limit=3${next === null ? '' : `&before=${next}`}`,
      )
      seen.push(...page.body.events.map((event) => event.id))
      next = page.body.next
    } while (next !== null)
    expect(seen).toHaveLength(8)
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    const theirs = await (await signedIn(other.email)).call('GET', '/api/audit_events')
    expect(theirs.body.events.map((event: { action: string }) => event.action)).toEqual(['session.started'])
  })

  test('keeps the reasons that staff write for each other, and tells those that they write for the customer', async () => {
    const { id, email } = await addUser()
    const staff = { kind: 'staff', userId: 1 as UserId, ip: null, requestId: null } as const
    for (const [actor, action] of [
      [staff, 'invoice.written_off'],
      [staff, 'dunning.paused'],
      [staff, 'prefix.rejected'],
      [SYSTEM, 'payment.declined'],
    ] as const) {
      await audit(db, actor, {
        action,
        subject: { type: 'x', id: 1 },
        accountId: accountIdOf(id),
        data: { reason: 'Why', amount: 1 },
      })
    }
    const { body } = await (await signedIn(email)).call('GET', '/api/audit_events?limit=5')
    const entries = body.events.map((event: { action: string; data: object }) => [event.action, event.data])
    expect(entries.slice(1)).toEqual([
      ['payment.declined', { reason: 'Why', amount: 1 }],
      ['prefix.rejected', { reason: 'Why', amount: 1 }],
      ['dunning.paused', { amount: 1 }],
      ['invoice.written_off', { amount: 1 }],
    ])
  })

  test('says that staff did something, not from where', async () => {
    const { id, email } = await addUser()
    const actor = { kind: 'staff', userId: 1 as UserId, ip: '198.51.100.99', requestId: null } as const
    await audit(db, actor, {
      action: 'prefix.approved',
      subject: { type: 'prefix', id: 1 },
      accountId: accountIdOf(id),
    })
    const { body } = await (await signedIn(email)).call('GET', '/api/audit_events')
    expect(body.events[1]).toMatchObject({ action: 'prefix.approved', by: 'staff', ip: null })
  })

  test.each(['limit=0', 'limit=201', 'before=x', 'before=-1'])('refuses the page ?%s', async (query) => {
    const { email } = await addUser()
    expect((await (await signedIn(email)).call('GET', `/api/audit_events?${query}`)).status).toBe(422)
  })
})

describe('standing', () => {
  test('is that no one can be billed until billing says so, and each change is in the audit log once', async () => {
    const { id } = await addUser()
    expect(await readBillingStatus(db, accountIdOf(id))).toEqual({
      mayBeBilled: false,
      suspended: false,
      byStaff: false,
      transit: 'normal',
      reason: null,
    })
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { mayBeBilled: true })
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { mayBeBilled: true })
    await writeBillingStatus(db, SYSTEM, accountIdOf(id), { suspended: true, reason: 'invoice overdue' })
    expect(await readBillingStatus(db, accountIdOf(id))).toMatchObject({
      mayBeBilled: true,
      suspended: true,
      reason: 'invoice overdue',
    })
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('action')
      .where('account_id', '=', accountIdOf(id))
      .execute()
    expect(auditEvents).toEqual([
      { action: 'account.billing_status_changed' },
      { action: 'account.billing_status_changed' },
    ])
  })

  test.each(['known', 'unknown'])(
    'the billing status of a %s account keeps both of two changes at once',
    async (account) => {
      const { id } = await addUser()
      if (account === 'known') await writeBillingStatus(db, SYSTEM, accountIdOf(id), { reason: 'invoice overdue' })
      let late: Promise<void> | undefined
      await db.transaction().execute(async (transaction) => {
        await writeBillingStatus(transaction, SYSTEM, accountIdOf(id), { mayBeBilled: true })
        late = db
          .transaction()
          .execute((other) => writeBillingStatus(other, SYSTEM, accountIdOf(id), { suspended: true }))
        await lockIsAwaited(db)
      })
      await late
      expect(await readBillingStatus(db, accountIdOf(id))).toMatchObject({ mayBeBilled: true, suspended: true })
    },
  )
})
