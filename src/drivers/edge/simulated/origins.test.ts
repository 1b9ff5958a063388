import { expect, test } from 'vitest'
import { createSimulatedEdge } from './index.ts'

test('a route whose origin is invalid is received, rejected, and neither chosen nor announced', async () => {
  const [invalid, valid] = ['45.30.10.0/24', '45.30.11.0/24'] as const
  const edge = createSimulatedEdge({ sessionDelayMs: 0, isInvalid: (prefix) => prefix === invalid })
  await edge.apply({
    localAsn: 500_000,
    routerId: '192.0.2.0',
    customers: [
      {
        id: 1,
        asn: 500_010,
        enabled: true,
        neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.2' }],
        accept: [invalid, valid].map((prefix) => ({ prefix, origin: 500_010 })),
        statics: [],
        exports: 'default',
      },
    ],
  })

  const judged = { [invalid]: [false, 12], [valid]: [true, null] }
  const verdicts = (routes: readonly { prefix: string; accepted: boolean; rejection: number | null }[]) =>
    Object.fromEntries(routes.map(({ prefix, accepted, rejection }) => [prefix, [accepted, rejection]]))
  const routes = await edge.routes(1)
  expect(verdicts(routes)).toEqual(judged)
  expect(routes.map(({ exported }) => exported)).toEqual([false, true])
  expect(verdicts((await edge.receivedRoutes(1, 10)).routes)).toEqual(judged)
  expect((await edge.candidates('45.30.10.1/32', 10)).routes).toEqual([])
  expect((await edge.candidates('45.30.11.1/32', 10)).routes).toMatchObject([{ prefix: valid }])
  expect((await edge.sessions()).find(({ family }) => family === 4)).toMatchObject({ received: 2, accepted: 1 })
  expect((await edge.upstreams()).find(({ name }) => name.endsWith('v4'))).toMatchObject({ exported: 1 })
})
