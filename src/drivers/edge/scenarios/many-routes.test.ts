/** Queries for a session with 100 000 routes: the edge is read only up to a limit, however much it has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { because, customerOf, eventually, skipReason, startScenario, stateOf, type Scenario } from './scenario.ts'
import type { Speaker } from './speaker.ts'

const ROUTES = 100_000
/** The limit that `answer-job.ts` of transit uses. */
const ASKED = 5_000

describe.skipIf(skipReason)(`a session with ${ROUTES} routes${because}`, () => {
  let scenario: Scenario
  let kestrel: Speaker
  beforeAll(async () => {
    scenario = await startScenario()
    kestrel = await scenario.speaker({ host: 10, asn: 500_010 })
    const neighbors = kestrel.neighbors.map((one) => ({ ...one, receiveLimit: 2 * ROUTES }))
    await scenario.edge.apply(stateOf(customerOf(kestrel, { id: 10, asn: 500_010, neighbors })))
    const routes = Array.from({ length: ROUTES }, (_, n) => ({
      prefix: `${40 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.0/24`,
    }))
    await kestrel.announce(routes)
    await eventually(async () => {
      const sessions = await scenario.edge.sessions()
      expect(sessions.find(({ family }) => family === 4)).toMatchObject({ received: ROUTES, accepted: 0 })
    }, 90_000)
  }, 120_000)
  afterAll(() => scenario?.stop())

  test('is read to the bound alone, in bounded time and memory', { timeout: 60_000 }, async () => {
    const before = process.memoryUsage().rss
    const began = performance.now()
    const { routes, complete } = await scenario.edge.receivedRoutes(10, ASKED)
    const ms = performance.now() - began
    expect([routes.length, complete]).toEqual([ASKED, false])
    expect(ms).toBeLessThan(5_000)
    // Measured 117 MiB, of which 10 MiB are BIRD's text.
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20)
  })
})
