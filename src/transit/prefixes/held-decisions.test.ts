import type { UserId } from '../../kernel/ids.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { checkReconciler } from './checks/check-job.ts'
import { heldDecisionReconciler } from './held-decisions.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, rpki } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ roles: ['network'] })
const second = await testApp.addUser({ roles: ['network'] })
const job = heldDecisionReconciler(testApp.deps)
const check = (id: number) => checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))

let asn = 1_400_000
async function provenRequest(value: string): Promise<{ id: number; userId: UserId }> {
  const userId = await testApp.addUser({ asn: ++asn })
  rpki.vrps.push({ prefix: value, maxLength: 24, asn })
  const id = await testApp.request(userId, value)
  await check(id)
  return { id, userId }
}
const decide = (id: number, action: string, body: object = {}, by = staff) =>
  call(by, 'POST', `/api/admin/transit_prefixes/${id}/${action}`, { undoable: true, ...body })
const undo = (id: number, by = staff) => call(by, 'DELETE', `/api/admin/transit_prefixes/${id}/decision`)
const view = async (id: number) => (await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)).body
const makeDue = (id: number) =>
  db
    .updateTable('prefix_held_decisions')
    .set({ effective_at: new Date(0) })
    .where('prefix_id', '=', id)
    .execute()
const run = (id: number) => job.reconcile(id, AbortSignal.timeout(10_000))
const mails = async (userId: UserId) =>
  (await db.selectFrom('outgoing_mail').select('subject').where('user_id', '=', userId).execute()).map(
    (mail) => mail.subject,
  )

describe('a decision that can be undone', () => {
  test('changes nothing for ten seconds, and then takes effect with who decided it', async () => {
    const { id, userId } = await provenRequest('45.80.1.0/24')
    const { status, body } = await decide(id, 'approve')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'PENDING', heldDecision: { action: 'approve', failure: null } })
    const held = body.heldDecision
    expect(Date.parse(held.effectiveAt) - Date.parse(held.decidedAt)).toBe(10_000)
    expect(await job.due()).not.toContain(id)
    // Not even when a process tries too early.
    await run(id)
    expect((await call(userId, 'GET', `/api/transit_prefixes/${id}`)).body.status).toBe('PENDING')
    expect(await mails(userId)).toEqual([])
    await makeDue(id)
    expect(await job.due()).toContain(id)
    await run(id)
    await run(id)
    expect(await view(id)).toMatchObject({ status: 'APPROVED', heldDecision: null, decidedBy: { id: staff } })
    expect(await mails(userId)).toEqual(['45.80.1.0/24 was approved'])
  })

  test('is undone without a trace for the customer, once', async () => {
    const { id, userId } = await provenRequest('45.80.2.0/24')
    await decide(id, 'reject', { reason: 'No.' })
    expect(await undo(id, second)).toMatchObject({ status: 200, body: { status: 'PENDING', heldDecision: null } })
    await makeDue(id)
    await run(id)
    expect((await view(id)).status).toBe('PENDING')
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect(await mails(userId)).toEqual([])
    const entry = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'prefix.decision_undone')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ actor_id: second, account_id: null, data: { action: 'reject', reason: 'No.' } })
  })

  test('a decision and its undo at the same moment end in one of the two', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await provenRequest(`45.81.${round}.0/24`)
      await decide(id, 'approve')
      await makeDue(id)
      const [undone] = await Promise.all([undo(id), run(id), run(id)])
      const { status, heldDecision } = await view(id)
      expect(heldDecision).toBeNull()
      expect(status).toBe(undone.status === 200 ? 'PENDING' : 'APPROVED')
    }
  })

  test('is refused at once where it would be refused', async () => {
    const userId = await testApp.addCustomer()
    const id = await testApp.request(userId, '45.80.3.0/24')
    await check(id)
    expect(await decide(id, 'approve')).toMatchObject({ status: 422, body: { errors: [{ field: 'reason' }] } })
    expect((await decide(id, 'suspend', { reason: 'x' })).status).toBe(409)
    const support = await testApp.addUser({ roles: ['support'] })
    expect((await decide(id, 'reject', { reason: 'x' }, support)).status).toBe(403)
    expect((await undo(id, support)).status).toBe(403)
    expect((await undo(id, userId)).status).toBe(403)
    expect((await view(id)).heldDecision).toBeNull()
  })

  test('keeps others from deciding meanwhile', async () => {
    const { id } = await provenRequest('45.80.4.0/24')
    await decide(id, 'approve')
    const other = await call(second, 'POST', `/api/admin/transit_prefixes/${id}/reject`, { reason: 'No.' })
    expect(other.status).toBe(409)
    expect(other.body.detail).toContain('Undo that first')
    expect((await decide(id, 'reject', { reason: 'No.' }, second)).status).toBe(409)
  })

  test('a decision that can no longer take effect says why and leaves the prefix as it is', async () => {
    const { id, userId } = await provenRequest('45.80.5.0/24')
    await decide(id, 'approve')
    await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)
    await makeDue(id)
    await run(id)
    const { status, heldDecision } = await view(id)
    expect(status).toBe('WITHDRAWN')
    expect(heldDecision.failure).toContain('It is WITHDRAWN')
    expect(await job.due()).not.toContain(id)

    const refuted = await provenRequest('45.80.6.0/24')
    await decide(refuted.id, 'approve')
    rpki.vrps = rpki.vrps.map((vrp) => (vrp.prefix === '45.80.6.0/24' ? { ...vrp, asn: 1 } : vrp))
    await check(refuted.id)
    await makeDue(refuted.id)
    await run(refuted.id)
    expect(await view(refuted.id)).toMatchObject({ status: 'NEEDS_ACTION', heldDecision: { action: 'approve' } })
    // The next decision replaces it.
    const rejected = await call(second, 'POST', `/api/admin/transit_prefixes/${refuted.id}/reject`, { reason: 'No.' })
    expect(rejected.body).toMatchObject({ status: 'REJECTED', heldDecision: null })
  })

  test('a decision of a member of staff who lost the role has no effect', async () => {
    const leaver = await testApp.addUser({ roles: ['network'] })
    const { id } = await provenRequest('45.80.7.0/24')
    await decide(id, 'approve', {}, leaver)
    await db.updateTable('users').set({ staff_roles: [] }).where('id', '=', leaver).execute()
    await makeDue(id)
    await run(id)
    expect(await view(id)).toMatchObject({
      status: 'PENDING',
      heldDecision: { failure: expect.stringContaining('role') },
    })
  })

  test('a decision of a suspended member of staff has no effect', async () => {
    const suspended = await testApp.addUser({ roles: ['network'] })
    const { id } = await provenRequest('45.80.8.0/24')
    await decide(id, 'approve', {}, suspended)
    await testApp.suspend(suspended)
    await makeDue(id)
    await run(id)
    expect(await view(id)).toMatchObject({
      status: 'PENDING',
      heldDecision: { failure: expect.stringContaining('suspended') },
    })
  })
})

test('the queue leads on, round to the oldest, and leaves out what is decided', async () => {
  await db.updateTable('transit_prefixes').set({ status: 'REJECTED' }).where('status', '=', 'PENDING').execute()
  const [oldest, middle, newest] = [
    await provenRequest('45.82.1.0/24'),
    await provenRequest('45.82.2.0/24'),
    await provenRequest('45.82.3.0/24'),
  ]
  const next = async (from?: number) =>
    (await call(staff, 'GET', `/api/admin/transit_prefixes/next${from === undefined ? '' : `?from=${from}`}`)).body
  expect(await next()).toMatchObject({ next: { id: oldest.id, value: '45.82.1.0/24' }, left: 3 })
  expect(await next(middle.id)).toMatchObject({ next: { id: newest.id }, previous: { id: oldest.id }, left: 2 })
  expect(await next(newest.id)).toMatchObject({ next: { id: oldest.id }, previous: { id: middle.id } })
  await decide(oldest.id, 'approve')
  expect(await next(middle.id)).toMatchObject({ next: { id: newest.id }, left: 1 })
  await decide(newest.id, 'approve')
  expect(await next(middle.id)).toEqual({ next: null, previous: null, left: 0 })
  expect((await call(oldest.userId, 'GET', '/api/admin/transit_prefixes/next')).status).toBe(403)
})
