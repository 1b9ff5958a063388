import { afterAll, expect, test } from 'vitest'
import { ALL_CAPABILITIES, EdgeError, type EdgeDriver, type UpstreamRejections } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { upstreamRejectionReconciler } from './upstream-rejections.ts'

const NOW = new Date('2026-11-20T03:00:00Z')
let seen: UpstreamRejections | EdgeError = { logError: null, rejections: [] }
const driver: EdgeDriver = {
  ...createSimulatedEdge({ sessionDelayMs: 0 }),
  capabilities: { ...ALL_CAPABILITIES, malformedUpdates: false },
  refusedFromUpstreams: () => (seen instanceof EdgeError ? Promise.reject(seen) : Promise.resolve(seen)),
}
const testApp = await createTransitTestApp(driver)
const { call } = testApp
const deps = { ...testApp.deps, clock: { now: () => NOW }, edge: driver, edgeName: 'edge1' }
const staff = await testApp.addUser({ isAdmin: true })
const customer = await testApp.addUser({ asn: 500_010 })
afterAll(() => testApp.close())

async function report(reported: UpstreamRejections | EdgeError) {
  seen = reported
  await testApp.settle(upstreamRejectionReconciler(deps))
  return read()
}
const read = async () => (await call(staff, 'GET', '/api/admin/edges')).body.edges[0].refusedFromUpstreams
const rejection = { upstream: 'carrier_a', prefix: '45.30.1.0/24', rejection: 15, at: NOW } as const

test('staff read what an edge refused from its upstreams and why, with what its product cannot tell', async () => {
  expect(await read()).toBeNull()
  expect(
    await report({ logError: null, rejections: [rejection, { ...rejection, prefix: null, rejection: 17 }] }),
  ).toEqual({
    seenAt: NOW.toISOString(),
    logError: null,
    malformed: false,
    rejections: [
      {
        upstream: 'carrier_a',
        prefix: '45.30.1.0/24',
        reason: 'the AS path contains a confederation segment (RFC 5065)',
        at: NOW.toISOString(),
      },
      { upstream: 'carrier_a', prefix: null, reason: 'a malformed path attribute (RFC 7606)', at: NOW.toISOString() },
    ],
  })
  expect((await call(customer, 'GET', '/api/admin/edges')).status).toBe(403)
})

test('staff read that the log of an edge cannot be read, and what it told stays while it does not answer', async () => {
  const logError = 'EDGE_LOG is not set, so BIRD’s log is not read.'
  expect(await report({ logError, rejections: [] })).toMatchObject({ logError, rejections: [] })
  expect(await report(new EdgeError('internal', 'this agent knows no "refusedFromUpstreams"'))).toMatchObject({
    logError,
  })
})

test('screens read it again when something else is refused, and not when the same is sent again', async () => {
  const heard: string[] = []
  const stop = testApp.bus.subscribe((event) => {
    if (event !== 'resync') heard.push(`${event.type} ${event.accountId}`)
  })
  const heardOf = async (reported: UpstreamRejections) => {
    heard.length = 0
    await report(reported)
    await new Promise((resolve) => setTimeout(resolve, 150))
    return heard
  }
  expect(await heardOf({ logError: null, rejections: [rejection] })).toEqual(['edge null'])
  expect(await heardOf({ logError: null, rejections: [{ ...rejection, at: new Date(0) }] })).toEqual([])
  stop()
})
