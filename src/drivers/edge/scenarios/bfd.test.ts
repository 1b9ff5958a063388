/** BFD (RFC 5880, RFC 5882) between the edge and routers with and without it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ip } from '../../../../lab/network/ip.ts'
import {
  because,
  customerOf,
  eventually,
  skipReason,
  startScenario,
  stateOf,
  untilEstablished,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'

describe.skipIf(skipReason)(`BFD of a session${because}`, () => {
  let scenario: Scenario
  let kestrel: Speaker
  let sandpiper: Speaker
  const apply = (bfd: { kestrel: boolean; sandpiper: boolean }) => {
    const neighbors = (speaker: Speaker, on: boolean) => speaker.neighbors.map((one) => ({ ...one, bfd: on }))
    return scenario.edge.apply(
      stateOf(
        customerOf(kestrel, { id: 10, asn: 500_010, neighbors: neighbors(kestrel, bfd.kestrel) }),
        customerOf(sandpiper, { id: 30, asn: 500_030, neighbors: neighbors(sandpiper, bfd.sandpiper) }),
      ),
    )
  }
  const nft = (command: string) => ip('netns', 'exec', kestrel.namespace, 'nft', command)
  const states = async () =>
    (await scenario.edge.sessions()).map(({ customerId, family, state, bfd }) => [customerId, family, state, bfd])
  const starts = async () => (await scenario.edge.sessions()).map(({ since }) => since)
  const all = (kestrelBfd: string | undefined, sandpiperBfd: string | undefined) => [
    [10, 4, 'ESTABLISHED', kestrelBfd],
    [10, 6, 'ESTABLISHED', kestrelBfd],
    [30, 4, 'ESTABLISHED', sandpiperBfd],
    [30, 6, 'ESTABLISHED', sandpiperBfd],
  ]

  beforeAll(async () => {
    scenario = await startScenario()
    kestrel = await scenario.speaker({ host: 10, asn: 500_010, bfd: true })
    sandpiper = await scenario.speaker({ host: 30, asn: 500_030 })
    await apply({ kestrel: false, sandpiper: false })
    await untilEstablished(scenario.edge, 4)
  })
  afterAll(() => scenario?.stop())

  test('turning it on restarts no session, with a router that runs it and with one that does not', async () => {
    const before = await starts()
    await apply({ kestrel: true, sandpiper: true })
    await eventually(async () => expect(await states()).toEqual(all('UP', 'NO_ANSWER')))
    // Many times the 900 ms after which BFD notices a loss.
    await sleep(5_000)
    expect(await states()).toEqual(all('UP', 'NO_ANSWER'))
    expect(await starts()).toEqual(before)
  })

  test('a router that falls silent is noticed within two seconds, and the cause is told', async () => {
    await nft('add table netdev silence')
    for (const hook of ['ingress', 'egress'])
      await nft(`add chain netdev silence ${hook} { type filter hook ${hook} device eth0 priority 0; policy drop; }`)
    const began = performance.now()
    await eventually(async () => {
      const mine = (await scenario.edge.sessions()).filter(({ customerId }) => customerId === 10)
      for (const session of mine) {
        expect(session.state).not.toBe('ESTABLISHED')
        expect(session).toMatchObject({ bfd: 'DOWN', lastError: 'Error: BFD session down' })
      }
    })
    expect(performance.now() - began).toBeLessThan(2_000)
    await nft('delete table netdev silence')
    await untilEstablished(scenario.edge, 4)
    await eventually(async () => expect(await states()).toEqual(all('UP', 'NO_ANSWER')))
  })

  test(
    'a router that stops BFD loses its session once, gets it back without, and turning BFD off restarts none',
    { timeout: 60_000 },
    async () => {
      await kestrel.ask('disable bfd1')
      await eventually(async () => expect(await states()).toContainEqual([10, 4, 'IDLE', 'DOWN']))
      await untilEstablished(scenario.edge, 4)
      await eventually(async () => expect(await states()).toEqual(all('NO_ANSWER', 'NO_ANSWER')))
      const before = await starts()
      await apply({ kestrel: false, sandpiper: false })
      await eventually(async () => expect(await states()).toEqual(all(undefined, undefined)))
      expect(await starts()).toEqual(before)
      expect(await scenario.askEdge('show protocols')).not.toContain('lh_bfd')
    },
  )
})
