import { afterAll, expect, test } from 'vitest'
import type { EdgeDriver, EdgeRpki } from '../../drivers/edge/index.ts'
import type { RpkiStatusReport } from '../../drivers/rpki/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { edgeRpkiReconciler, rpkiComparer, rpkiError } from './rpki.ts'

const CURRENT: RpkiStatusReport = { source: 'a test', state: 'current', count: 1_000, asOf: new Date(), error: null }
const up = { name: 'validator1', up: true, status: 'Established' }
const down = { name: 'validator2', up: false, status: 'Transport-Error' }

let seen: EdgeRpki | null = null
const driver: EdgeDriver = { ...createSimulatedEdge({ sessionDelayMs: 0 }), rpki: () => Promise.resolve(seen) }
const testApp = await createTransitTestApp(driver)
const { db, call } = testApp
const staff = await testApp.addUser({ isAdmin: true })
let portal = CURRENT
afterAll(() => testApp.close())

/** Returns what staff read after the edge reported this. */
async function report(rpki: EdgeRpki | null) {
  seen = rpki
  await testApp.settle(edgeRpkiReconciler({ ...testApp.deps, edge: driver, edgeName: 'edge1' }))
  await testApp.settle(rpkiComparer({ db, rpki: { report: () => portal } }))
  return (await call(staff, 'GET', '/api/admin/edges')).body.edges[0].originValidation
}

test.each<[string, EdgeRpki, Partial<RpkiStatusReport>, string | null]>([
  ['as many VRPs as the portal', { vrps: 1_000, caches: [up] }, {}, null],
  ['a few less', { vrps: 960, caches: [up] }, {}, null],
  ['far fewer', { vrps: 890, caches: [up] }, {}, 'The edge has 890 VRPs and the portal 1000.'],
  ['far more', { vrps: 1_120, caches: [up] }, {}, 'The edge has 1120 VRPs and the portal 1000.'],
  ['a few less of few', { vrps: 3, caches: [] }, { count: 9 }, null],
  ['some while the portal is silent itself', { vrps: 3, caches: [] }, { state: 'expired' }, null],
  ['some while the portal has no source', { vrps: 900, caches: [] }, { state: 'starting', count: 0 }, null],
  ['no VRPs', { vrps: 0, caches: [up] }, {}, 'The edge has no VRPs: it rejects no RPKI Invalid route.'],
  [
    'a session down',
    { vrps: 1_000, caches: [up, down] },
    {},
    'RTR sessions down: validator2 (Transport-Error); 1 of 2 up.',
  ],
  [
    'no VRPs and a session down',
    { vrps: 0, caches: [down] },
    {},
    'The edge has no VRPs: it rejects no RPKI Invalid route. RTR sessions down: validator2 (Transport-Error); 0 of 1 up.',
  ],
])('an edge with %s', (_, edge, report, error) => {
  expect(rpkiError(edge, { ...CURRENT, ...report })).toBe(error)
})

test('an edge whose VRPs are gone has an error for staff until they are back', async () => {
  expect(await report(null)).toBeNull()
  expect(await report({ vrps: 1_000, caches: [up] })).toMatchObject({ vrps: 1_000, caches: [up], error: null })
  expect(await report({ vrps: 0, caches: [down] })).toMatchObject({
    vrps: 0,
    error: expect.stringContaining('no VRPs'),
  })
  expect(await report({ vrps: 1_001, caches: [up] })).toMatchObject({ error: null })
})

test('an edge far from the portal is an error as soon as the portal knows more', async () => {
  expect(await report({ vrps: 1_000, caches: [up] })).toMatchObject({ error: null })
  portal = { ...CURRENT, count: 5_000 }
  expect(await report({ vrps: 1_000, caches: [up] })).toMatchObject({
    error: 'The edge has 1000 VRPs and the portal 5000.',
  })
})
