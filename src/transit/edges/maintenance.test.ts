import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { OPERATOR, transitOnTrial } from '../testing.ts'
import { readConnectionFacts } from '../filters/connection-facts.ts'
import { desiredEdge } from '../filters/desired.ts'
import { edgeReconciler } from '../filters/edge-job.ts'

const trial = await transitOnTrial(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => trial.close())
const staff = await trial.addPerson({ isAdmin: true })
const { userId } = await trial.addConnected(551_500)
const set = (who: number | null, body: object) => trial.call(who, 'PATCH', '/api/admin/edge', body)

test('an edge in maintenance makes every customer a last resort, and takes them back as they were', async () => {
  const { state } = desiredEdge(OPERATOR, await readConnectionFacts(trial.db, trial.deps))
  const drained = { ...state, customers: state.customers.map((customer) => ({ ...customer, drained: true })) }
  const { status, body } = await set(staff, { maintenance: true, reason: 'New optics' })
  expect(status).toBe(200)
  expect(body.maintenance).toMatchObject({ reason: 'New optics' })
  await trial.settle(edgeReconciler(trial.deps))
  expect((await trial.edge.running()).generation).toBe(trial.edge.generationOf(drained))

  expect((await set(staff, { maintenance: false })).body.maintenance).toBeNull()
  await trial.settle(edgeReconciler(trial.deps))
  expect((await trial.edge.running()).generation).toBe(trial.edge.generationOf(state))
  const trail = await trial.db.selectFrom('audit_events').select('action').where('subject_type', '=', 'edge').execute()
  expect(trail.map(({ action }) => action)).toEqual(['edge.maintenance_began', 'edge.maintenance_ended'])
})

test('maintenance needs a reason, and staff', async () => {
  expect((await set(staff, { maintenance: true })).status).toBe(422)
  expect((await set(userId, { maintenance: true, reason: 'x' })).status).toBe(403)
  expect((await set(null, { maintenance: true, reason: 'x' })).status).toBe(401)
})

test('staff read what the edge is and how many sessions it has', async () => {
  const { body } = await trial.call(staff, 'GET', '/api/admin/edge')
  expect(body).toMatchObject({ kind: 'simulated', asn: OPERATOR.asn, routerId: OPERATOR.routerId, maintenance: null })
  expect(body.sessions).toMatchObject({ established: expect.any(Number), all: expect.any(Number) })
})
