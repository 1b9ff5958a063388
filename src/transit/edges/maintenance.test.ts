import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { OPERATOR, createTransitTestApp } from '../testing.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import { desiredEdge } from '../configuration/desired.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })
const { userId } = await testApp.addConnected(551_500)
const set = (who: number | null, body: object) => testApp.call(who, 'PATCH', '/api/admin/edge', body)

test('an edge in maintenance makes every customer a last resort, and takes them back as they were', async () => {
  const { state } = desiredEdge(OPERATOR, await readConnectionDetails(testApp.db, testApp.deps))
  const drained = { ...state, customers: state.customers.map((customer) => ({ ...customer, drained: true })) }
  const { status, body } = await set(staff, { maintenance: true, reason: 'New optics' })
  expect(status).toBe(200)
  expect(body.maintenance).toMatchObject({ reason: 'New optics' })
  await testApp.settle(edgeReconciler(testApp.deps))
  expect((await testApp.edge.running()).generation).toBe(testApp.edge.generationOf(drained))

  expect((await set(staff, { maintenance: false })).body.maintenance).toBeNull()
  await testApp.settle(edgeReconciler(testApp.deps))
  expect((await testApp.edge.running()).generation).toBe(testApp.edge.generationOf(state))
  const auditEvents = await testApp.db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_type', '=', 'edge')
    .execute()
  expect(auditEvents.map(({ action }) => action)).toEqual(['edge.maintenance_began', 'edge.maintenance_ended'])
})

test('maintenance needs a reason, and staff', async () => {
  expect((await set(staff, { maintenance: true })).status).toBe(422)
  expect((await set(userId, { maintenance: true, reason: 'x' })).status).toBe(403)
  expect((await set(null, { maintenance: true, reason: 'x' })).status).toBe(401)
})

test('staff read what the edge is and how many sessions it has', async () => {
  const { body } = await testApp.call(staff, 'GET', '/api/admin/edge')
  expect(body).toMatchObject({ kind: 'simulated', asn: OPERATOR.asn, routerId: OPERATOR.routerId, maintenance: null })
  expect(body.sessions).toMatchObject({ established: expect.any(Number), all: expect.any(Number) })
})
