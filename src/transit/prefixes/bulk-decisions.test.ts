import type { UserId } from '../../kernel/ids.ts'
import { userOf } from '../../accounts/index.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { heldDecisionReconciler } from './held-decisions.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, rpki } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })

let asn = 720_000
/** A ROA for its ASN leaves no issue with the request. */
async function request(value: string, { roa = true } = {}): Promise<number> {
  const userId = await testApp.addUser({ asn: ++asn })
  if (roa) rpki.vrps.push({ prefix: value, maxLength: 24, asn })
  return testApp.request(userId, value)
}
const decide = (body: object, by = staff) => call(by, 'POST', '/api/admin/transit_prefixes/decisions', body)
const statusOf = async (id: number) => (await testApp.prefix(id)).status
const auditOf = async (id: number) => {
  const rows = await db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_type', '=', 'prefix')
    .where('subject_id', '=', id)
    .where('action', 'in', ['prefix.approved', 'prefix.rejected'])
    .execute()
  return rows.map(({ action }) => action)
}

test('each prefix is decided or refused by itself, in the order that was asked for', async () => {
  const good = await request('45.31.1.0/24')
  const bare = await request('45.31.2.0/24', { roa: false })
  const { status, body } = await decide({ action: 'approve', ids: [bare, good, 2_000_000_000] })
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { id: bare, value: '45.31.2.0/24', outcome: 'REFUSED', status: 'PENDING', code: 'invalid_fields' },
    { id: good, value: '45.31.1.0/24', outcome: 'DONE', status: 'APPROVED', code: null, detail: null },
    { id: 2_000_000_000, value: null, outcome: 'REFUSED', status: null, code: 'not_found' },
  ])
  expect(body[0].detail).toMatch(/^reason is required/)
  expect([await statusOf(good), await statusOf(bare)]).toEqual(['APPROVED', 'PENDING'])
})

test('the same call again changes nothing, and each decision is in the audit log once', async () => {
  const ids = [await request('45.31.3.0/24'), await request('45.31.4.0/24')]
  expect((await decide({ action: 'approve', ids })).body).toMatchObject([{ outcome: 'DONE' }, { outcome: 'DONE' }])
  expect((await decide({ action: 'approve', ids })).body).toMatchObject([
    { outcome: 'UNCHANGED', status: 'APPROVED' },
    { outcome: 'UNCHANGED', status: 'APPROVED' },
  ])
  for (const id of ids) expect(await auditOf(id)).toEqual(['prefix.approved'])
})

test('rejecting takes a reason, which every customer gets', async () => {
  const ids = [await request('45.31.6.0/24'), await request('45.31.7.0/24')]
  expect(await decide({ action: 'reject', ids })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'reason' }] },
  })
  expect(await statusOf(ids[0]!)).toBe('PENDING')
  expect((await decide({ action: 'reject', ids, reason: 'No ROA by the holder.' })).body).toMatchObject([
    { outcome: 'DONE', status: 'REJECTED' },
    { outcome: 'DONE', status: 'REJECTED' },
  ])
  for (const id of ids) expect(await auditOf(id)).toEqual(['prefix.rejected'])
})

describe('decisions in bulk that can be undone', () => {
  const job = heldDecisionReconciler(testApp.deps)
  const undo = (ids: readonly number[], by = staff) =>
    call(by, 'POST', '/api/admin/transit_prefixes/decisions/undo', { ids })
  const letPass = async (ids: readonly number[]) => {
    await db
      .updateTable('prefix_held_decisions')
      .set({ effective_at: new Date(0) })
      .where('prefix_id', 'in', ids)
      .execute()
    for (const id of ids) await job.reconcile(id, AbortSignal.timeout(10_000))
  }
  const withoutEffect = async () => (await call(staff, 'GET', '/api/admin/transit_prefixes/decisions')).body
  const mailsAbout = async (value: string) => {
    const rows = await db.selectFrom('outgoing_mail').select('subject').execute()
    return rows.filter(({ subject }) => subject.includes(value)).length
  }

  test('change nothing and tell no one for ten seconds, then take effect', async () => {
    const ids = [await request('45.31.20.0/24'), await request('45.31.21.0/24')]
    const bare = await request('45.31.22.0/24', { roa: false })
    const body = { action: 'approve', ids: [...ids, bare], undoable: true }
    const outcomes = [{ outcome: 'HELD', status: 'PENDING' }, { outcome: 'HELD' }, { outcome: 'REFUSED' }]
    expect((await decide(body)).body).toMatchObject(outcomes)
    // The same request again leaves the held decisions as they are.
    expect((await decide(body)).body).toMatchObject(outcomes)
    expect(await statusOf(ids[0]!)).toBe('PENDING')
    expect(await mailsAbout('45.31.20.0/24')).toBe(0)
    await letPass(ids)
    for (const id of ids) {
      expect(await statusOf(id)).toBe('APPROVED')
      expect(await auditOf(id)).toEqual(['prefix.approved'])
    }
    expect(await mailsAbout('45.31.20.0/24')).toBe(1)
  })

  test('are undone together, each while it has no effect', async () => {
    const ids = [await request('45.31.23.0/24'), await request('45.31.24.0/24')]
    await decide({ action: 'reject', ids, reason: 'No.', undoable: true })
    await letPass([ids[1]!])
    expect((await undo(ids)).body).toMatchObject([
      { id: ids[0], outcome: 'DONE', status: 'PENDING' },
      { id: ids[1], outcome: 'REFUSED', status: 'REJECTED', code: 'invalid_state' },
    ])
    await letPass([ids[0]!])
    expect(await statusOf(ids[0]!)).toBe('PENDING')
    expect(await mailsAbout('45.31.23.0/24')).toBe(0)
    const support = await testApp.addUser({ roles: ['support'] })
    expect((await undo(ids, support)).status).toBe(403)
  })

  test('decisions that could not take effect, or are late, are listed with why', async () => {
    const [gone, late] = [await request('45.31.25.0/24'), await request('45.31.26.0/24')]
    await decide({ action: 'approve', ids: [gone, late], undoable: true })
    expect(await withoutEffect()).toEqual([])
    const { account_id: account } = await testApp.prefix(gone)
    await call(await userOf(db, account), 'DELETE', `/api/transit_prefixes/${gone}`)
    await letPass([gone])
    await db
      .updateTable('prefix_held_decisions')
      .set({ effective_at: new Date(0) })
      .where('prefix_id', '=', late)
      .execute()
    expect(await withoutEffect()).toMatchObject([
      { id: late, value: '45.31.26.0/24', action: 'approve', failure: null },
      { id: gone, failure: expect.stringContaining('WITHDRAWN') },
    ])
  })
})

test.each(['support', 'billing'] as const)('%s may decide nothing', async (role) => {
  const id = await request(`45.31.${role === 'support' ? 8 : 9}.0/24`)
  const by = await testApp.addUser({ roles: [role] })
  expect((await decide({ action: 'approve', ids: [id] }, by)).status).toBe(403)
  expect(await statusOf(id)).toBe('PENDING')
})

test.each([
  { action: 'suspend', ids: [1] },
  { action: 'approve', ids: [] },
  { action: 'approve', ids: [0] },
])('%j is refused', async (body) => {
  expect((await decide(body)).status).toBe(422)
})

// Last test, because it changes the policy.
test('a prefix that needs two people is left to its own page', async () => {
  const id = await request('45.31.5.0/24')
  const url = '/api/admin/prefix_policy'
  const { changedBy: _by, changedAt: _at, ...policy } = (await call(staff, 'GET', url)).body
  const rules = [{ name: 'All', family: null, shorterThan: null, evidence: 'none', people: 2, reason: true }]
  expect((await call(staff, 'PUT', url, { ...policy, twoPerson: true, rules })).status).toBe(200)
  const { body } = await decide({ action: 'approve', ids: [id], reason: 'Known.' })
  expect(body).toMatchObject([{ outcome: 'REFUSED', detail: expect.stringContaining('Two people') }])
  expect(await statusOf(id)).toBe('PENDING')
})

describe('a customer withdraws several prefixes', () => {
  const withdraw = (by: UserId, ids: readonly number[]) =>
    call(by, 'POST', '/api/transit_prefixes/withdrawals', { ids })

  test('each on its own, and the same call again changes nothing', async () => {
    const owner = await testApp.addUser({ asn: ++asn })
    const [first, second, kept] = [
      await testApp.request(owner, '45.31.40.0/24'),
      await testApp.request(owner, '45.31.41.0/24'),
      await testApp.request(owner, '45.31.42.0/24'),
    ]
    expect((await withdraw(owner, [second, 2_000_000_000, first])).body).toMatchObject([
      { id: second, value: '45.31.41.0/24', outcome: 'DONE', status: 'WITHDRAWN' },
      { id: null, value: null, outcome: 'REFUSED', status: null, code: 'not_found' },
      { id: first, value: '45.31.40.0/24', outcome: 'DONE', status: 'WITHDRAWN' },
    ])
    expect(await statusOf(kept)).not.toBe('WITHDRAWN')
    expect((await withdraw(owner, [first])).body).toMatchObject([{ outcome: 'UNCHANGED', status: 'WITHDRAWN' }])
  })

  test("another customer's prefix looks like an absent one, and stays", async () => {
    const owner = await testApp.addUser({ asn: ++asn })
    const others = await testApp.request(owner, '45.31.43.0/24')
    const stranger = await testApp.addUser({ asn: ++asn })
    const [own, absent] = (await withdraw(stranger, [others, 2_000_000_000])).body
    expect(own).toEqual(absent)
    expect(await statusOf(others)).not.toBe('WITHDRAWN')
  })
})
