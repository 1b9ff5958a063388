import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inNamespace } from '../../../../lab/network/ip.ts'
import {
  because,
  customerOf,
  eventually,
  obstacle,
  startScenario,
  stateOf,
  untilEstablished,
  verdicts,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'

const PROGRAM = fileURLToPath(new URL('./raw-speaker.ts', import.meta.url))
const OWN = 500_010
const DOWNSTREAM = 500_011
const SEQUENCE = 2
const SET = 1

const u32 = (value: number): string => value.toString(16).padStart(8, '0')
const bytes = (hex: string): number => hex.length / 2
const byte = (value: number): string => value.toString(16).padStart(2, '0')

/** An UPDATE that announces 45.30.<third>.0/24 over AS_PATH segments of [type, ...numbers]. */
function announce(third: number, ...segments: readonly (readonly number[])[]): string {
  const path = segments.map(([type, ...asns]) => `${byte(type!)}${byte(asns.length)}${asns.map(u32).join('')}`).join('')
  const attributes = `40010100${`4002${byte(bytes(path))}${path}`}400304cb00710a`
  return `0000${bytes(attributes).toString(16).padStart(4, '0')}${attributes}182d1e${byte(third)}`
}

describe.skipIf(obstacle)(`a customer that speaks BGP as nobody should${because}`, () => {
  let scenario: Scenario
  let hostile: Speaker
  let bystander: Speaker
  let child: ChildProcess | null = null

  beforeAll(async () => {
    scenario = await startScenario()
    hostile = await scenario.speaker({ host: 10, asn: OWN })
    bystander = await scenario.speaker({ host: 30, asn: 500_030 })
    await bystander.announce([{ prefix: '45.30.30.0/24' }])
    const [v4] = hostile.neighbors
    await scenario.edge.apply(
      stateOf(
        customerOf(hostile, {
          id: 10,
          asn: OWN,
          neighbors: [v4!],
          accept: [
            ...[10, 11].map((third) => ({ prefix: `45.30.${third}.0/24`, origin: OWN })),
            ...[10, 11].map((third) => ({ prefix: `45.30.${third}.0/24`, origin: DOWNSTREAM })),
          ],
        }),
        customerOf(bystander, { id: 30, asn: 500_030, accept: [{ prefix: '45.30.30.0/24', origin: 500_030 }] }),
      ),
    )
    await untilEstablished(scenario.edge, 3)
    await hostile.ask('down')
    // The edge asks for 255 (RFC 5082), and a program without privileges in its socket options takes the system's default.
    await inNamespace(hostile.namespace, 'sysctl', '-qw', 'net.ipv4.ip_default_ttl=255')
  })
  afterEach(() => child?.kill('SIGKILL'))
  afterAll(() => scenario?.stop())

  /** Starts the program anew until the session stands; the edge may still be in its pause after the last one. */
  async function speak(...updates: string[]): Promise<void> {
    await eventually(async () => {
      child?.kill('SIGKILL')
      const orders = { local: '203.0.113.10', remote: '203.0.113.1', asn: OWN, updates }
      child = spawn('ip', ['netns', 'exec', hostile.namespace, process.execPath, PROGRAM, JSON.stringify(orders)])
      const [first] = (await once(child.stdout!, 'data', { signal: AbortSignal.timeout(3000) })) as [Buffer]
      expect(String(first)).toContain('up')
    }, 15_000)
  }

  test('a sound route of its own is taken: the tests below fail for their reasons alone', async () => {
    await speak(announce(10, [SEQUENCE, OWN]), announce(11, [SEQUENCE, OWN, DOWNSTREAM]))
    await eventually(async () =>
      expect(verdicts(await scenario.edge.routes(10))).toEqual({
        '45.30.10.0/24': 'accepted',
        '45.30.11.0/24': 'accepted',
      }),
    )
  })

  test('a path with an AS_SET is refused, at its end and in its middle (RFC 9774)', async () => {
    await speak(
      announce(10, [SEQUENCE, OWN], [SET, DOWNSTREAM, OWN]),
      announce(11, [SEQUENCE, OWN], [SET, OWN, DOWNSTREAM], [SEQUENCE, DOWNSTREAM]),
    )
    await eventually(async () =>
      expect(verdicts(await scenario.edge.routes(10))).toEqual({ '45.30.10.0/24': 7, '45.30.11.0/24': 7 }),
    )
  })

  test('garbage in place of updates ends that session at most, and the bystander never notices', async () => {
    const before = (await scenario.edge.sessions()).filter((session) => session.customerId === 30)
    const garbage = fc.sample(fc.uint8Array({ minLength: 4, maxLength: 200 }), 20)
    await speak(...garbage.map((body) => Buffer.from(body).toString('hex')))
    await eventually(async () => {
      const session = (await scenario.edge.sessions()).find(({ customerId }) => customerId === 10)
      expect(session?.lastError).not.toBeNull()
    })
    const after = (await scenario.edge.sessions()).filter((session) => session.customerId === 30)
    expect(after).toEqual(before)
    expect((await scenario.atUpstream()).has('45.30.30.0/24')).toBe(true)
    expect(await scenario.askEdge('show status')).toContain('up and running')
  })
})
