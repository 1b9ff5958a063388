/** Attacks through people and timing: staff who are tired, alone or their own customers, races, and stale answers. */
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StaffRole } from '../../kernel/required-role.ts'
import { createFraudTestApp } from './testing.ts'

const fraud = await createFraudTestApp(54)
const { call, db, rpki, irr, approve, view, run, staff } = fraud
afterAll(() => fraud.close())
const second = await fraud.addUser({ isAdmin: true })
const policy = (values: object) => db.updateTable('prefix_policy').set(values).execute()
beforeEach(() => {
  rpki.unreachable = irr.unreachable = false
  rpki.vrps = []
})
afterEach(() => policy({ two_person: false, automatic: false }))
const statusOf = async (id: number) => (await fraud.prefix(id)).status
async function checked() {
  const one = await fraud.request()
  await run('check', one.id)
  return one
}

describe('a request that nothing proves is not approved with', () => {
  test.each<readonly [string, object]>([
    ['no reason', {}],
    ['an empty reason', { reason: '' }],
    ['a blank reason', { reason: ' ' }],
    ['line feeds as a reason', { reason: '\n\t\r\n' }],
    ['no-break spaces as a reason', { reason: '\u00a0\u2003' }],
    ['a reason that is null', { reason: null }],
    ['a reason that is a number', { reason: 1 }],
    ['a reason that is true', { reason: true }],
    ['a reason that is a list', { reason: ['known'] }],
    ['a reason longer than anybody reads', { reason: 'x'.repeat(501) }],
    ['a reason under another name', { note: 'known' }],
    ['a reason and a rule of its own', { reason: 'known', rule: 'Strong evidence' }],
    ['a reason and people of its own', { reason: 'known', people: 0 }],
    ['a reason and another request', { reason: 'known', id: 1 }],
  ])('%s', async (_, body) => {
    const one = await checked()
    expect((await approve(one.id, body)).status).toBe(422)
    expect(await statusOf(one.id)).toBe('PENDING')
  })
})

describe('a request is not approved by', () => {
  test.each(['support', 'billing'] as const)('staff whose role is %s', async (role) => {
    const one = await checked()
    const other = await fraud.addUser({ roles: [role] })
    expect((await approve(one.id, { reason: 'known' }, other)).status).toBe(403)
    expect(await statusOf(one.id)).toBe('PENDING')
  })
  test('no one', async () => expect((await approve((await checked()).id, { reason: 'known' }, null)).status).toBe(401))
  test('its own customer', async () => {
    const one = await checked()
    expect((await approve(one.id, { reason: 'known' }, one.userId)).status).toBe(403)
  })
  test('another customer', async () => {
    const one = await checked()
    expect((await approve(one.id, { reason: 'known' }, (await checked()).userId)).status).toBe(403)
  })
  test('a member of staff whose own request it is, whatever their role', async () => {
    const owner = await fraud.addUser({ isAdmin: true, asn: fraud.nextAsn() })
    const id = await fraud.requestMore(owner)
    await run('check', id)
    expect(await approve(id, { reason: 'mine' }, owner)).toMatchObject({ status: 403, body: { code: 'own_request' } })
    expect((await view(id, owner)).allowedActions).not.toContain('approve')
    expect(await statusOf(id)).toBe('PENDING')
    expect((await approve(id, { reason: 'known' })).status).toBe(200)
  })
  test('a member of staff as the first of two for their own request', async () => {
    await policy({ two_person: true })
    const owner = await fraud.addUser({ isAdmin: true, asn: fraud.nextAsn() })
    const id = await fraud.requestMore(owner)
    await run('check', id)
    expect((await approve(id, { reason: 'mine' }, owner)).status).toBe(403)
    expect((await view(id)).approval.given).toEqual([])
  })
  test('one person twice', async () => {
    await policy({ two_person: true })
    const one = await checked()
    await approve(one.id, { reason: 'known' })
    expect((await approve(one.id, { reason: 'known, really' })).status).toBe(409)
    expect(await statusOf(one.id)).toBe('PENDING')
  })
  test('one person twice in the same moment', async () => {
    await policy({ two_person: true })
    const one = await checked()
    await Promise.all(Array.from({ length: 8 }, () => approve(one.id, { reason: 'known' })))
    expect(await statusOf(one.id)).toBe('PENDING')
    expect((await view(one.id)).approval.given).toHaveLength(1)
  })
  test('a second person without a reason', async () => {
    await policy({ two_person: true })
    const one = await checked()
    await approve(one.id, { reason: 'known' })
    expect((await approve(one.id, {}, second)).status).toBe(422)
    expect(await statusOf(one.id)).toBe('PENDING')
  })
  test.each<[string, StaffRole[]]>([
    ['has left', []],
    ['has another role by now', ['support', 'billing']],
  ])('a first person who %s', async (_, roles) => {
    await policy({ two_person: true })
    const one = await checked()
    const leaver = await fraud.addUser({ isAdmin: true })
    await approve(one.id, { reason: 'known' }, leaver)
    await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', leaver).execute()
    expect((await approve(one.id, { reason: 'known' })).body.status).toBe('PENDING')
  })
  test('a first approval from before it was sent back', async () => {
    await policy({ two_person: true })
    const one = await checked()
    await approve(one.id, { reason: 'known' })
    rpki.vrps = [{ prefix: one.value, maxLength: 24, asn: fraud.nextAsn() }]
    await run('check', one.id)
    rpki.vrps = []
    await run('check', one.id)
    expect((await approve(one.id, { reason: 'known' }, second)).body.status).toBe('PENDING')
  })
  test.each([
    ['staff vouched for', ['staff'], 'PENDING'],
    ['staff vouched for and a mailbox of the registry confirmed', ['staff', 'registry_contact'], 'APPROVED'],
  ] as const)('the machine, with an ASN that %s: %s is %s', async (_, methods, status) => {
    await policy({ automatic: true })
    const one = await fraud.request()
    // An established customer.
    const earlier = await fraud.requestMore(one.userId)
    await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', earlier).execute()
    const since = { verified_at: new Date('2026-01-02T00:00:00Z') }
    await db.updateTable('asn_ownerships').set(since).where('account_id', '=', accountIdOf(one.userId)).execute()
    const proof = { account_id: accountIdOf(one.userId), asn: one.asn, created_at: new Date(), verified_at: new Date() }
    for (const method of methods)
      await db
        .insertInto('asn_verifications')
        .values({ ...proof, method, strength: 'low', valid_until: new Date(Date.now() + 86_400_000) } as never)
        .execute()
    rpki.vrps = [{ prefix: one.value, maxLength: 24, asn: one.asn }]
    await run('check', one.id)
    expect(await statusOf(one.id)).toBe(status)
  })
  test('the machine, of a new customer, however strong the evidence', async () => {
    await policy({ automatic: true })
    const one = await fraud.request()
    rpki.vrps = [{ prefix: one.value, maxLength: 24, asn: one.asn }]
    await run('check', one.id)
    expect(await statusOf(one.id)).toBe('PENDING')
  })
})

describe('no reason of staff approves a prefix', () => {
  type Request = Awaited<ReturnType<typeof checked>>
  const roa = (prefix: string, maxLength: number, asn: number) => void (rpki.vrps = [{ prefix, maxLength, asn }])
  test.each<readonly [string, (one: Request) => unknown]>([
    ['with a ROA for another ASN', ({ value }) => roa(value, 24, 500_099)],
    ['with a ROA that closes it for all', ({ value }) => roa(value, 24, 0)],
    ['below a ROA of its holder that ends at a shorter length', ({ asn }) => roa('45.54.0.0/16', 16, asn)],
    ['below a ROA of another holder around it', () => roa('45.54.0.0/16', 24, 500_099)],
    [
      'with a ROA that came after its last check',
      async ({ value, id }) => {
        await db
          .updateTable('transit_prefixes')
          .set({ checked_at: new Date(Date.now() - 3_600_000) })
          .where('id', '=', id)
          .execute()
        roa(value, 24, 500_099)
      },
    ],
    [
      'that was never checked, with a ROA for another ASN',
      async ({ value, id }) => {
        await db
          .updateTable('transit_prefixes')
          .set({ checked_at: null, rpki_status: 'UNKNOWN' })
          .where('id', '=', id)
          .execute()
        roa(value, 24, 500_099)
      },
    ],
    [
      'of a customer whose ASN is not verified any more',
      ({ userId }) =>
        db
          .updateTable('asn_ownerships')
          .set({ verified_at: null })
          .where('account_id', '=', accountIdOf(userId))
          .execute(),
    ],
    ['that was withdrawn', ({ id, userId }) => call(userId, 'DELETE', `/api/transit_prefixes/${id}`)],
    [
      'that was rejected',
      ({ id }) => call(staff, 'POST', `/api/admin/transit_prefixes/${id}/reject`, { reason: 'No.' }),
    ],
    [
      'that another customer has by now',
      async ({ value }) => {
        const first = await fraud.requestAs(value)
        rpki.vrps = []
        await approve(first, { reason: 'known' })
      },
    ],
  ])('%s', async (_, happen) => {
    const one = await checked()
    await happen(one)
    // Where the case is about a source, the approval must run a check that queries it.
    if (rpki.vrps.length > 0 && (await fraud.prefix(one.id)).checked_at !== null) await run('check', one.id)
    const answer = await approve(one.id, { reason: 'The customer is well known to us.' })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatch(/^It is /)
    expect(await statusOf(one.id)).not.toBe('APPROVED')
  })

  test.each(['rpki', 'irr'] as const)('alone while the source is silent: %s', async (source) => {
    const one = await fraud.request()
    ;(source === 'rpki' ? rpki : irr).unreachable = true
    expect((await approve(one.id)).status).toBe(409)
    await approve(one.id, { reason: 'An outage.' })
    expect(await statusOf(one.id)).toBe('PENDING')
  })
})

describe('space is not taken by', () => {
  test('a request that no one has proved', async () => {
    const squatter = await checked()
    const owner = await fraud.requestAs(squatter.value)
    const { user } = await view(owner)
    const holding = await db
      .selectFrom('asn_ownerships')
      .select('asn')
      .where('account_id', '=', accountIdOf(user.id))
      .executeTakeFirstOrThrow()
    rpki.vrps = [{ prefix: squatter.value, maxLength: 24, asn: holding.asn }]
    await run('check', owner)
    expect((await view(owner)).proven).toBe(true)
    expect((await approve(squatter.id, { reason: 'first' })).status).toBe(409)
  })
  test('two approvals in the same moment', async () => {
    const one = await checked()
    const other = await fraud.requestAs(one.value)
    await run('check', other)
    const answers = await Promise.all(
      [one.id, other].map((id, at) => approve(id, { reason: 'known' }, [staff, second][at])),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
  test('more open requests than one account may have', async () => {
    await policy({ open_requests: 3 })
    const { userId } = await checked()
    const send = () =>
      call(userId, 'POST', '/api/transit_prefixes', { value: fraud.nextValue(), announcementType: 'ORIGIN' })
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    await policy({ open_requests: 500 })
  })
})
