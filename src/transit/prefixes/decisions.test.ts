import { accountIdOf } from '../../platform/db/testing.ts'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { CHECK_STATUSES, PREFIX_STATUSES, STAFF_ACTIONS } from '../states.ts'
import { checkReconciler } from './checks/check-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, rpki, irr } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })
const second = await testApp.addUser({ isAdmin: true })

let asn = 700_000
/** A customer's own /24 that was never checked, because no reconciler runs here. */
async function request(value: string): Promise<{ id: number; userId: number; asn: number }> {
  const userId = await testApp.addUser({ asn: ++asn })
  return { id: await testApp.request(userId, value), userId, asn }
}
const approve = (id: number, body: object = {}, by = staff) =>
  call(by, 'POST', `/api/admin/transit_prefixes/${id}/approve`, body)
const view = async (id: number, by = staff) => (await call(by, 'GET', `/api/admin/transit_prefixes/${id}`)).body
const check = (id: number) => checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))
const statusOf = async (id: number) => (await testApp.prefix(id)).status

beforeEach(() => {
  rpki.unreachable = false
  irr.unreachable = false
})

describe('approval of a prefix', () => {
  test('the approval of a prefix without any evidence needs a written reason', async () => {
    const { id } = await request('45.30.77.0/24')
    await check(id)
    const refused = await approve(id)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'reason' }] } })
    expect(await statusOf(id)).toBe('PENDING')
    expect((await approve(id, { reason: 'Holder confirmed by phone.' })).body.status).toBe('APPROVED')
  })

  test('the approval of a prefix with a ROA for the verified ASN needs one person and no reason', async () => {
    const { id, asn } = await request('45.30.78.0/24')
    rpki.vrps.push({ prefix: '45.30.78.0/24', maxLength: 24, asn })
    expect((await approve(id)).body.status).toBe('APPROVED')
  })

  test('is refused while the ASN of the customer is not verified', async () => {
    const { id, userId } = await request('45.30.79.0/24')
    await check(id)
    await db
      .updateTable('asn_ownerships')
      .set({ verified_at: null })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    const refused = await approve(id, { reason: 'Holder confirmed by phone.' })
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is not verified') } })
    expect((await view(id)).allowedActions).not.toContain('approve')
  })

  test('the approval of a prefix that comes before the first check runs it first', async () => {
    const { id } = await request('45.30.39.0/24')
    rpki.vrps.push({ prefix: '45.30.39.0/24', maxLength: 24, asn: 500_039 })
    expect((await approve(id)).status).toBe(409)
    expect(await testApp.prefix(id)).toMatchObject({ status: 'NEEDS_ACTION', rpki_status: 'INVALID' })
  })

  test('is refused while RPKI and the IRR are silent', async () => {
    const { id } = await request('45.30.40.0/24')
    rpki.unreachable = true
    irr.unreachable = true
    const refused = await approve(id)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('could not be checked')
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('uses what RPKI says now, not what it said an hour ago', async () => {
    const { id, asn } = await request('45.30.41.0/24')
    rpki.vrps.push({ prefix: '45.30.41.0/24', maxLength: 24, asn })
    await check(id)
    const anHourAgo = new Date(Date.now() - 3_600_000)
    await db.updateTable('transit_prefixes').set({ checked_at: anHourAgo }).where('id', '=', id).execute()
    rpki.vrps = rpki.vrps.map((vrp) => (vrp.asn === asn ? { ...vrp, asn: 500_099 } : vrp))
    expect((await approve(id)).status).toBe(409)
    expect(await statusOf(id)).toBe('NEEDS_ACTION')
  })

  test('the approval of a prefix that two people gave while RPKI was silent is taken back by its first INVALID', async () => {
    const { id, userId, asn } = await request('45.30.42.0/24')
    await testApp.addRouter(userId)
    rpki.unreachable = true
    const reason = 'Their transit is down, known for years.'
    expect((await approve(id, { reason })).body).toMatchObject({ status: 'PENDING', approval: { given: [{ reason }] } })
    expect((await approve(id, { reason })).status).toBe(409)
    expect((await approve(id, { reason }, second)).body.status).toBe('APPROVED')
    rpki.unreachable = false
    rpki.vrps.push({ prefix: '45.30.42.0/24', maxLength: 24, asn: asn + 9_000 })
    await check(id)
    expect(await testApp.prefix(id)).toMatchObject({ status: 'NEEDS_ACTION', rpki_status: 'INVALID' })
    expect((await testApp.emails(userId)).at(-1)!.subject).toBe('Action needed: 45.30.42.0/24')
  })

  test('after a first approval of two while RPKI was silent, the same person is enough once RPKI answers', async () => {
    const { id, asn } = await request('45.30.45.0/24')
    rpki.vrps.push({ prefix: '45.30.45.0/24', maxLength: 24, asn })
    rpki.unreachable = true
    expect((await approve(id, { reason: 'An outage.' })).body.status).toBe('PENDING')
    rpki.unreachable = false
    expect((await approve(id)).body).toMatchObject({
      status: 'APPROVED',
      approvalBasis: { people: ['person-1@example.net'] },
    })
  })

  test('given while RPKI was silent stays once RPKI has answered without INVALID, also when a ROA goes bad later', async () => {
    const { id, asn } = await request('45.30.43.0/24')
    rpki.unreachable = true
    for (const by of [staff, second]) await approve(id, { reason: 'An outage.' }, by)
    rpki.unreachable = false
    await check(id)
    rpki.vrps.push({ prefix: '45.30.43.0/24', maxLength: 24, asn: asn + 9_000 })
    await check(id)
    expect(await testApp.prefix(id)).toMatchObject({ status: 'APPROVED', rpki_status: 'INVALID' })
  })

  test('keeps the rule and the evidence that let it pass', async () => {
    const { id, asn } = await request('45.30.44.0/24')
    rpki.vrps.push({ prefix: '45.30.44.0/24', maxLength: 24, asn })
    await approve(id)
    const { approvalBasis } = await view(id)
    expect(approvalBasis).toMatchObject({
      rule: 'Strong evidence',
      people: ['person-1@example.net'],
      evidence: [{ kind: 'roa', strength: 'strong' }],
    })
  })
})

describe('two-person approval', () => {
  const switchTo = (two_person: boolean) => db.updateTable('prefix_policy').set({ two_person }).execute()
  afterAll(() => switchTo(false))

  test('asks two different people for what no one proves, and one for what is proven', async () => {
    await switchTo(true)
    const unproven = await request('45.31.1.0/24')
    const proven = await request('45.31.2.0/24')
    rpki.vrps.push({ prefix: '45.31.2.0/24', maxLength: 24, asn: proven.asn })
    expect((await approve(proven.id)).body.status).toBe('APPROVED')
    const reason = 'Letter of the holder seen.'
    await approve(unproven.id, { reason })
    expect(await statusOf(unproven.id)).toBe('PENDING')
    expect((await view(unproven.id)).allowedActions).toEqual(['reject'])
    expect((await view(unproven.id, second)).allowedActions).toEqual(['approve', 'reject'])
    expect((await approve(unproven.id, { reason })).status).toBe(409)
    expect((await approve(unproven.id, {}, second)).status).toBe(422)
    expect((await approve(unproven.id, { reason }, second)).body).toMatchObject({
      status: 'APPROVED',
      approvalBasis: { people: ['person-1@example.net', 'person-2@example.net'] },
    })
  })

  test('forgets a first approval of a member of staff who was then suspended', async () => {
    await switchTo(true)
    const stolen = await testApp.addUser({ roles: ['network'] })
    const { id } = await request('45.31.4.0/24')
    await approve(id, { reason: 'Letter of the holder seen.' }, stolen)
    await testApp.suspend(stolen)
    expect((await approve(id, { reason: 'Letter of the holder seen.' }, second)).body.status).toBe('PENDING')
    expect(await view(id)).toMatchObject({ approval: { given: [{ email: 'person-2@example.net' }] } })
  })

  test('forgets a first approval when the request changes state', async () => {
    await switchTo(true)
    const { id, asn } = await request('45.31.3.0/24')
    await approve(id, { reason: 'Letter of the holder seen.' })
    rpki.vrps.push({ prefix: '45.31.3.0/24', maxLength: 24, asn: asn + 9_000 })
    await check(id)
    rpki.vrps = rpki.vrps.filter((vrp) => vrp.prefix !== '45.31.3.0/24')
    await check(id)
    expect(await view(id)).toMatchObject({ status: 'PENDING', approval: { given: [] } })
  })
})

describe('automatic approval', () => {
  const established = async () => {
    const { id, userId, asn } = await request('45.32.9.0/24')
    await approve(id, { reason: 'The first one.' })
    await db
      .updateTable('asn_ownerships')
      .set({ verified_at: new Date(Date.now() - 30 * 86_400_000) })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    return { userId, asn }
  }
  const switchTo = (automatic: boolean) => db.updateTable('prefix_policy').set({ automatic }).execute()
  afterAll(() => switchTo(false))

  test('is off until it is switched on, and then takes strong evidence of an established account only', async () => {
    const { userId, asn } = await established()
    const newcomer = await request('45.33.9.0/24')
    for (const [value, number] of [
      ['45.33.1.0/24', asn],
      ['45.33.2.0/24', asn],
      ['45.33.9.0/24', newcomer.asn],
    ] as const)
      rpki.vrps.push({ prefix: value, maxLength: 24, asn: number })
    const before = await testApp.request(userId, '45.33.1.0/24')
    await check(before)
    expect(await statusOf(before)).toBe('PENDING')
    await switchTo(true)
    const after = await testApp.request(userId, '45.33.2.0/24')
    const bare = await testApp.request(userId, '45.33.3.0/24')
    for (const id of [after, bare, newcomer.id]) await check(id)
    expect(await testApp.prefix(after)).toMatchObject({ status: 'APPROVED', decided_by: null })
    expect((await view(after)).approvalBasis).toMatchObject({ rule: 'Strong evidence', people: [] })
    expect(await statusOf(bare)).toBe('PENDING')
    expect(await statusOf(newcomer.id)).toBe('PENDING')
  })
})

describe('allowedActions', () => {
  const REASON = { reason: 'For the test.' }
  const viewers = async () => ({
    network: await testApp.addUser({ roles: ['network'] }),
    owner: staff,
    support: await testApp.addUser({ roles: ['support'] }),
  })

  /** Sets the state directly, instead of going through everything that leads there. */
  const given = fc.record({
    status: fc.constantFrom(...PREFIX_STATUSES),
    rpki_status: fc.constantFrom(...CHECK_STATUSES),
    irr_status: fc.constantFrom(...CHECK_STATUSES),
    hasOrigin: fc.boolean(),
    verified: fc.boolean(),
    asnChanged: fc.boolean(),
    firstBy: fc.constantFrom('nobody', 'owner', 'network'),
    viewer: fc.constantFrom('network', 'owner', 'support'),
    action: fc.constantFrom(...STAFF_ACTIONS),
  })

  test('are exactly what the call accepts, over states, verdicts, first approvals and roles', async () => {
    const who = await viewers()
    const { id, userId, asn } = await request('45.34.0.0/24')
    const NO_CUSTOMER = asn + 9_000
    await fc.assert(
      fc.asyncProperty(given, async (state) => {
        const { rpki_status, irr_status } = state
        const found = [rpki_status, irr_status]
        // A check leaves a request in the status that its results require.
        const open = found.includes('INVALID') ? 'NEEDS_ACTION' : 'PENDING'
        const isOpen = state.status === 'PENDING' || state.status === 'NEEDS_ACTION'
        const status = isOpen && (open === 'NEEDS_ACTION' || !found.includes('UNKNOWN')) ? open : state.status
        // The sources agree with the row, so a new check changes nothing.
        rpki.unreachable = rpki_status === 'UNKNOWN'
        irr.unreachable = irr_status === 'UNKNOWN'
        const origin = { VALID: asn, INVALID: NO_CUSTOMER, NOT_FOUND: null, UNKNOWN: null }
        const others = rpki.vrps.filter((vrp) => vrp.prefix !== '45.34.0.0/24')
        const roa = origin[rpki_status]
        rpki.vrps = roa === null ? others : [...others, { prefix: '45.34.0.0/24', maxLength: 24, asn: roa }]
        const object = origin[irr_status]
        irr.objects = object === null ? [] : [{ prefix: '45.34.0.0/24', origin: object, source: 'RIPE' }]
        await db
          .updateTable('asn_ownerships')
          .set({ verified_at: state.verified ? new Date() : null })
          .where('account_id', '=', accountIdOf(userId))
          .execute()
        await db.deleteFrom('prefix_evidence').where('prefix_id', '=', id).execute()
        await db.deleteFrom('prefix_approvals').where('prefix_id', '=', id).execute()
        const asn_changed = status === 'SUSPENDED' && state.asnChanged
        await db
          .updateTable('transit_prefixes')
          .set({ status, rpki_status, rpki_reason: rpki_status === 'INVALID' ? 'AS' : null, irr_status, asn_changed })
          .set({ origin_asn: state.hasOrigin ? asn : null, proven: false, approved_unknown: false })
          .set({ checked_at: new Date(), announcement_type: 'ORIGIN' })
          .where('id', '=', id)
          .execute()
        if (state.firstBy !== 'nobody') {
          await db
            .insertInto('prefix_approvals')
            .values({ prefix_id: id, staff_id: who[state.firstBy], reason: 'First.', created_at: new Date() })
            .execute()
        }
        const viewer = who[state.viewer]
        const before = await view(id, viewer)
        // The approval checks an unknown source again. Finding an origin then is no contradiction.
        if (!state.hasOrigin && (rpki_status === 'UNKNOWN' || irr_status === 'UNKNOWN')) return
        const url = `/api/admin/transit_prefixes/${id}/${state.action}`
        const { status: answer } = await call(viewer, 'POST', url, REASON)
        expect([200, 403, 409]).toContain(answer)
        expect(before.allowedActions.includes(state.action), JSON.stringify(state)).toBe(answer === 200)
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})
