import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { eventually } from '../testing.ts'
import { transitWithWorker } from '../testing-worker.ts'

const testApp = await transitWithWorker(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, edge } = testApp

test('an edge that freezes is unreachable on every screen within 5 s, and soon known again once it answers', async () => {
  const staff = await testApp.addUser({ isAdmin: true })
  const { userId } = await testApp.addConnected(500_010)
  const seen = async () => {
    const [session] = (await call(userId, 'GET', '/api/transit_connection')).body.sessions
    const [{ errorKind, current }] = (await call(staff, 'GET', '/api/admin/edges')).body.edges
    return { state: session.state, known: session.stateKnown, errorKind, current }
  }
  const alive = { state: 'ESTABLISHED', known: true, errorKind: null, current: true }
  await eventually(async () => (await seen()).state === 'ESTABLISHED' && (await seen()).current)
  expect(await seen()).toEqual(alive)

  // As long as the driver waits for BIRD's greeting.
  edge.frozen = 2_000
  const frozenAt = performance.now()
  await eventually(async () => !(await seen()).known)
  expect(performance.now() - frozenAt).toBeLessThan(5_000)
  expect(await seen()).toEqual({ ...alive, known: false, errorKind: 'unreachable', current: false })
  const { body } = await call(userId, 'GET', '/api/transit_connection')
  expect(body.edge.error).toBe('The edge is not responding. Changes are applied when it is back.')

  edge.frozen = null
  await eventually(async () => isDeepStrictEqual(await seen(), alive))
}, 30_000)
