/** An approved downstream prefix that loses what it was approved for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { addDownstreams, setOf } from '../testing-sources.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, irr, rpki } = testApp
afterAll(() => testApp.close())
let staff: number
beforeAll(async () => {
  staff = await testApp.addUser({ isAdmin: true })
})

const DAY_MS = 86_400_000
let next = 560_000

/** An approved downstream prefix with the agreement of its origin, and a clock for its checks. */
async function approved() {
  const asn = (next += 10)
  const member = asn + 1
  const value = `45.${150 + (asn - 560_000) / 10}.0.0/24`
  const asSet = addDownstreams(irr, asn, [member])
  rpki.vrps = [...rpki.vrps, { prefix: value, maxLength: 24, asn: member }]
  const { userId } = await testApp.addConnected(asn, asSet)
  const id = await testApp.request(userId, value, 'DOWNSTREAM')
  const clock = manualClock(new Date().toISOString())
  const check = async (days = 0) => {
    clock.advance(days * DAY_MS)
    // A new reconciler each time, so that none remembers what the registries said.
    await checkReconciler({ ...testApp.deps, clock }).reconcile(id, AbortSignal.timeout(10_000))
    const { status, flagged_at, suspend_at } = await testApp.prefix(id)
    return {
      status,
      flagged: flagged_at !== null,
      suspendAt: suspend_at?.getTime() ?? null,
      now: clock.now().getTime(),
    }
  }
  await check()
  const { status, body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
  expect([status, body.status]).toEqual([200, 'APPROVED'])
  return { asn, member, asSet, userId, id, check, value }
}

const mails = async (userId: number) => (await testApp.emails(userId)).map(({ subject }) => subject)

test('is warned when it leaves the set, and suspended when the grace is over', async () => {
  const { id, userId, asSet, check, value } = await approved()
  irr.asSets.set(asSet, setOf(asSet, []))
  const warned = await check()
  expect(warned).toMatchObject({ status: 'APPROVED', flagged: true, suspendAt: warned.now + 7 * DAY_MS })
  expect(await mails(userId)).toContain(`${value} will be suspended`)
  expect((await call(userId, 'GET', `/api/transit_prefixes/${id}`)).body).toMatchObject({
    attention: expect.stringMatching(
      /is not in the AS-SET\. It is suspended on \d{4}-\d\d-\d\d unless this is fixed\./,
    ),
    suspendAt: new Date(warned.suspendAt!).toISOString(),
  })
  expect(await check(6.9)).toMatchObject({ status: 'APPROVED', suspendAt: warned.suspendAt })
  expect((await check(0.2)).status).toBe('SUSPENDED')
  expect(await mails(userId)).toContain(`${value} was suspended`)
})

test('stays when it is back in time, without a trace of the warning', async () => {
  const { asSet, member, check } = await approved()
  irr.asSets.set(asSet, setOf(asSet, []))
  await check()
  irr.asSets.set(asSet, setOf(asSet, [member]))
  expect(await check(3)).toMatchObject({ status: 'APPROVED', flagged: false, suspendAt: null })
  expect(await check(30)).toMatchObject({ status: 'APPROVED' })
})

test('is suspended at once when its origin signs that others are its providers', async () => {
  const { id, asSet, member, check } = await approved()
  rpki.aspas = new Map([[member, [500_001]]])
  expect((await check()).status).toBe('SUSPENDED')
  // After the ASPA is removed the prefix returns as a request, for staff to decide.
  rpki.aspas = null
  expect((await check()).status).toBe('PENDING')
  expect(asSet).toBe((await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)).body.asSet)
})

test('keeps its place for as long as the registries are silent', async () => {
  const { asSet, check } = await approved()
  irr.unreachable = true
  expect(await check(30)).toMatchObject({ status: 'APPROVED', suspendAt: null })
  irr.unreachable = false
  irr.asSets.set(asSet, setOf(asSet, []))
  const { suspendAt } = await check()
  irr.unreachable = true
  expect(await check(30)).toMatchObject({ status: 'APPROVED', suspendAt })
  irr.unreachable = false
})

test('is not warned of what staff accepted with their reason', async () => {
  const asn = (next += 10)
  irr.asSets.set('AS-FOREIGN', setOf('AS-FOREIGN', [asn + 1], { maintainers: ['FOREIGN-MNT'] }))
  irr.autNumObjects.push({ asn: asn + 1, source: 'RIPE', maintainers: [], memberOf: [], providers: [asn] })
  rpki.vrps = [...rpki.vrps, { prefix: '45.190.0.0/24', maxLength: 24, asn: asn + 1 }]
  const { userId } = await testApp.addConnected(asn, 'AS-FOREIGN')
  const id = await testApp.request(userId, '45.190.0.0/24', 'DOWNSTREAM')
  const check = async () => {
    await checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))
    return testApp.prefix(id)
  }
  expect(await check()).toMatchObject({ status: 'NEEDS_ACTION' })
  const approve = (body: object) => call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, body)
  expect((await approve({})).status).toBe(422)
  expect((await approve({ reason: 'The two are one company: contract of May.' })).body.status).toBe('APPROVED')
  expect(await check()).toMatchObject({
    status: 'APPROVED',
    flagged_at: null,
    suspend_at: null,
    accepted_issues: ['SET_NOT_OWN'],
  })
  irr.autNumObjects = irr.autNumObjects.filter((one) => one.asn !== asn + 1)
  expect((await check()).suspend_at).not.toBeNull()
  expect(
    await db.selectFrom('audit_events').select('action').where('action', '=', 'prefix.flagged').execute(),
  ).not.toEqual([])
})
