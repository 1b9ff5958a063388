import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import { inNamespace } from '../../../../lab/network/ip.ts'
import type { Family } from '../../../kernel/prefix.ts'
import {
  because,
  customerOf,
  eventually,
  PRODUCTS,
  skipReason,
  startScenario,
  stateOf,
  untilEstablished,
  outcomes,
  type Scenario,
} from './scenario.ts'
import { attribute, byteLength as bytes, encodePath, hex8 as byte, hex16 as u16, type Path } from './bgp-encoding.ts'
import type { Speaker } from './speaker.ts'

const PROGRAM = fileURLToPath(new URL('./raw-speaker.ts', import.meta.url))
const OWN = 500_010
const DOWNSTREAM = 500_011
const AS_SET_REJECTION = 14
const CONFEDERATION_REJECTION = 15
const MALFORMED_REJECTION = 17
const BYSTANDER_PREFIX = '45.31.30.0/24'

/** Enough prefixes to announce every path of a test with its own prefix. */
const PREFIXES = 150
const prefixOf = (family: Family, index: number): string =>
  family === 4 ? `45.30.${index}.0/24` : `2d10:${(0x100 + index).toString(16)}::/32`

/** A set anywhere but at the start: there BIRD finds no first AS, and the reason is another one. */
const WITH_SET: readonly Path[] = [
  '500010 {500011} 500010',
  '500010 {500011} 500011',
  '500010 {500010} 500010',
  '500010 {1299 3333} 500010',
  '500010 {500010 500011} 500010',
  '500010 {500011 500010} 500011',
  '500010 500010 500010 {500010} 500010 500010',
  '500010 500011 {500011} 500011',
  '500010 {500010}',
  '500010 {500011}',
  '500010 {500010 500011}',
  '500010 500011 {500011 500010}',
  '500010 {500011} {500011} 500010',
  '500010 {500011} 500010 {500011} 500010',
  '500010 {500010} {500010}',
  '500010 | {500010} | 500010',
  '500010 {4199999999} 500010',
  `500010 {${Array.from({ length: 60 }, (_, n) => 500_100 + n).join(' ')}} 500010`,
  `${'500010 '.repeat(30)}{500010} 500010`,
]
const SET_FIRST: readonly Path[] = ['{500010} 500010', '{500010}', '{500010 500011} 500010', '{500011} 500010']
const WITH_CONFEDERATION: readonly Path[] = [
  '(500010) 500010',
  '[500010] 500010',
  '500010 (500010)',
  '500010 [500010]',
  '500010 (65001 65002) 500010',
  '500010 [500011 500010] 500011',
  '500010 500011 (500011) 500011',
  '500010 {500011} (500011) 500010',
  '500010 500011 500011 [500011]',
  '500010 500011 500011 (500011)',
  '500010 [500011] (500011) 500010',
  '500010 | (500011) | 500010',
]
const SOUND: readonly Path[] = [
  '500010',
  '500010 500011',
  '500010 500010 500010',
  '500010 500010 500011 500011 500011',
  '500010 4199999999 500011',
  '500010 3333 1103 500011',
  '500010 | 500011',
  '500010 500010 | 500010 | 500010',
  '500010 '.repeat(32).trim(),
  `${'500010 '.repeat(31)}500011`,
]

/** UPDATE messages that announce each path with the prefix of its position in the list. */
const announceAll = (nextHop: Readonly<Record<Family, string>>, family: Family, paths: readonly Path[]): string[] =>
  paths.map((path, index) => {
    const asPath = attribute(0x40, 2, encodePath(path))
    const attributes =
      family === 4
        ? `40010100${asPath}400304${nextHop[4]}`
        : `40010100${asPath}${attribute(0x80, 14, `00020110${nextHop[6]}0020${'2d10'}${u16(0x100 + index)}`)}`
    return `0000${u16(bytes(attributes))}${attributes}${family === 4 ? `182d1e${byte(index)}` : ''}`
  })

/** Paths of the customer's own and its downstream's ASN, split into random segments, one of them a set. */
const pathWithSet = fc
  .tuple(
    fc.array(fc.constantFrom('500010', '500011', '500010 500010', '{500010}', '{500011}', '{500010 500011}'), {
      minLength: 0,
      maxLength: 6,
    }),
    fc.constantFrom('{500010}', '{500011}', '{500010 500010}', '{500011 500010}'),
    fc.array(fc.constantFrom('500010', '500011', '{500010}', '| 500010'), { minLength: 0, maxLength: 6 }),
  )
  .map(([before, set, after]) => ['500010', ...before, set, ...after].join(' '))

const pathWithoutSet = fc
  .array(fc.constantFrom('500010', '500011', '| 500010', '| 500011', '3333', '4199999999'), { maxLength: 30 })
  .map((rest) => ['500010', ...rest, '500011'].join(' '))

let child: ChildProcess | null = null
afterEach(() => child?.kill('SIGKILL'))

/** Restarts the program until the session is up; the edge may still pause after the last one. */
async function speakIn(namespace: string, orders: { local: string; remote: string; asn: number }, updates: string[]) {
  await eventually(async () => {
    child?.kill('SIGKILL')
    child = spawn('ip', ['netns', 'exec', namespace, process.execPath, PROGRAM])
    child.stdin!.end(JSON.stringify({ ...orders, updates }))
    const [first] = (await once(child.stdout!, 'data', { signal: AbortSignal.timeout(3000) })) as [Buffer]
    expect(String(first)).toContain('up')
  }, 25_000)
}

describe.skipIf(skipReason)(`a customer that speaks BGP as no one should${because}`, () => {
  let scenario: Scenario
  let hostile: Speaker
  let bystander: Speaker

  beforeAll(async () => {
    scenario = await startScenario()
    hostile = await scenario.speaker({ host: 10, asn: OWN })
    bystander = await scenario.speaker({ host: 30, asn: 500_030 })
    await bystander.announce([{ prefix: BYSTANDER_PREFIX }])
    await scenario.edge.apply(
      stateOf(
        customerOf(hostile, {
          id: 10,
          asn: OWN,
          accept: ([4, 6] as const).flatMap((family) =>
            Array.from({ length: PREFIXES }, (_, index) => prefixOf(family, index)).flatMap((prefix) => [
              { prefix, origin: OWN },
              { prefix, origin: DOWNSTREAM },
            ]),
          ),
        }),
        customerOf(bystander, { id: 30, asn: 500_030, accept: [{ prefix: BYSTANDER_PREFIX, origin: 500_030 }] }),
      ),
    )
    await untilEstablished(scenario.edge, 4)
    await hostile.ask('down')
    // The edge requires a TTL of 255 (RFC 5082), and a program that cannot set it on its socket uses the system's
    // default.
    await inNamespace(hostile.namespace, 'sysctl', '-qw', 'net.ipv4.ip_default_ttl=255')
    await inNamespace(hostile.namespace, 'sysctl', '-qw', 'net.ipv6.conf.eth0.hop_limit=255')
  })
  afterAll(() => scenario?.stop())

  const speak = (family: Family, ...updates: string[]): Promise<void> => {
    const neighbor = hostile.neighbors.find((candidate) => candidate.family === family)!
    const orders = { local: neighbor.peerAddress, remote: neighbor.localAddress, asn: OWN }
    return speakIn(hostile.namespace, orders, updates)
  }

  /** Returns the result for each path: `accepted`, or the number of the rejection. */
  async function judge(family: Family, paths: readonly Path[]): Promise<Record<Path, 'accepted' | number | null>> {
    expect(paths.length).toBeLessThanOrEqual(PREFIXES)
    const nextHop = { 4: 'cb00710a', 6: '20010db801000000000000000000000a' }
    await speak(family, ...announceAll(nextHop, family, paths))
    return eventually(async () => {
      const routes = (await scenario.edge.routes(10)).filter((route) => route.prefix.includes(':') === (family === 6))
      const byPrefix = outcomes(routes)
      expect(Object.keys(byPrefix)).toHaveLength(paths.length)
      return Object.fromEntries(paths.map((path, index) => [path, byPrefix[prefixOf(family, index)]!]))
    })
  }
  const all = <T>(paths: readonly Path[], becomes: T): Record<Path, T> =>
    Object.fromEntries(paths.map((path) => [path, becomes]))

  describe.each([4, 6] as const)('over IPv%i', (family) => {
    test('accepts paths without an AS_SET: long, prepended, of several segments, with 32-bit numbers', async () => {
      expect(await judge(family, SOUND)).toEqual(all(SOUND, 'accepted'))
    })

    test('refuses an AS_SET at any position of the path (RFC 9774)', async () => {
      expect(await judge(family, WITH_SET)).toEqual(all(WITH_SET, AS_SET_REJECTION))
    })

    test('refuses an AS_SET at the start of the path, because the neighbour is not its first AS', async () => {
      expect(await judge(family, SET_FIRST)).toEqual(all(SET_FIRST, 1))
    })

    test('refuses a confederation segment at any position (RFC 5065), which BIRD drops itself, and says why', async () => {
      expect(await judge(family, WITH_CONFEDERATION)).toEqual(all(WITH_CONFEDERATION, CONFEDERATION_REJECTION))
    })

    test('exports none of the refused routes to the upstream', async () => {
      await judge(family, [...WITH_SET, ...SET_FIRST, ...WITH_CONFEDERATION])
      const exported = [...(await scenario.atUpstream()).keys()].filter((prefix) => prefix !== BYSTANDER_PREFIX)
      expect(exported).toEqual([])
    })

    test('refuses every path with an AS_SET and accepts every path without one, whatever its shape', async () => {
      const hostilePaths = [...new Set(fc.sample(pathWithSet, 70))]
      const soundPaths = [...new Set(fc.sample(pathWithoutSet, 60))]
      expect(await judge(family, [...hostilePaths, ...soundPaths])).toEqual({
        ...all(hostilePaths, AS_SET_REJECTION),
        ...all(soundPaths, 'accepted'),
      })
    })
  })

  test('garbage in place of updates ends that session at most, and the bystander never notices', async () => {
    const before = (await scenario.edge.sessions()).filter((session) => session.customerId === 30)
    const garbage = fc.sample(fc.uint8Array({ minLength: 4, maxLength: 200 }), 20)
    await speak(4, ...garbage.map((body) => Buffer.from(body).toString('hex')))
    await eventually(async () => {
      const session = (await scenario.edge.sessions()).find(
        ({ customerId, family }) => customerId === 10 && family === 4,
      )
      expect(session?.lastError).not.toBeNull()
    })
    const after = (await scenario.edge.sessions()).filter((session) => session.customerId === 30)
    expect(after).toEqual(before)
    expect((await scenario.atUpstream()).has(BYSTANDER_PREFIX)).toBe(true)
    expect(await scenario.askEdge('show status')).toContain('up and running')
  })

  describe.each([4, 6] as const)('an upstream over IPv%i', (family) => {
    const { edge: remote, upstream: local } = LAB.link[family]
    beforeAll(() => scenario.askUpstream(`disable edge_v${family}`))
    afterAll(() => scenario.askUpstream(`enable edge_v${family}`))

    const prefixesOf = async (which: string): Promise<string[]> => {
      const text = await scenario.askEdge(`show route ${which.replace('$', `protocol upstream1_v${family}`)}`)
      return [...text.matchAll(/^([0-9a-f.:]+\/\d+)/gm)].map(([, prefix]) => prefix!).toSorted()
    }

    test('gets no AS_SET and no confederation segment past the edge either, and its sound paths stay', async () => {
      const fromUpstream = (path: Path): Path => `500001 ${path}`
      const sound = [...SOUND.map(fromUpstream), `500001${' 500011'.repeat(63)}`, '500001 | 500001 500011']
      const dropped = WITH_CONFEDERATION.map(fromUpstream)
      const withSet = [
        ...WITH_SET.map(fromUpstream),
        '500001 {500001} 500001',
        '500001 {500011} 500001',
        `500001${' 500011'.repeat(61)} {500011} 500011`,
      ]
      const nextHop = { 4: 'c0000201', 6: '20010db800ff00000000000000000001' }
      const updates = announceAll(nextHop, family, [...sound, ...withSet, ...dropped])
      await speakIn(scenario.network.names.upstreamNamespace, { local, remote, asn: LAB.upstreamAsn }, updates)
      const log = join(scenario.network.edge.directory, 'bird.log')
      const whyDropped = `upstream1_v${family}: Malformed AS_PATH attribute - AS_CONFED_`
      const prefixes = [...sound, ...withSet].map((_, index) => prefixOf(family, index))
      const refused = `filtered $ where (${LAB.operatorAsn}, 1101, ${AS_SET_REJECTION}) ~ bgp_large_community`
      await eventually(async () => {
        expect(await prefixesOf('$')).toEqual(prefixes.slice(0, sound.length).toSorted())
        expect(await prefixesOf(refused)).toEqual(prefixes.slice(sound.length).toSorted())
        const said = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(whyDropped))
        expect(said.length).toBeGreaterThanOrEqual(dropped.length)
      })
    })
  })
})

describe.for(PRODUCTS)('an upstream of $product that sends broken updates$notHere', ({ product, skipped, can }) => {
  test.skipIf(skipped)('a confederation segment is refused, and the edge says why', async () => {
    const scenario = await startScenario(product)
    try {
      const { edge: remote, upstream: local } = LAB.link[4]
      const ofUpstream = ({ address }: { address: string }) => address === local
      await eventually(async () =>
        expect((await scenario.edge.upstreams()).find(ofUpstream)?.state).toBe('ESTABLISHED'),
      )
      const { name } = (await scenario.edge.upstreams()).find(ofUpstream)!
      await scenario.askUpstream('disable edge_v4')
      const paths: readonly Path[] = ['500001', '500001 (500011)', '500001 {500011} 500011']
      const malformedOrigin = '40010103' + attribute(0x40, 2, encodePath('500001')) + '400304c0000201'
      const malformed = `0000${u16(bytes(malformedOrigin))}${malformedOrigin}182d1e09`
      await speakIn(scenario.network.names.upstreamNamespace, { local, remote, asn: LAB.upstreamAsn }, [
        ...announceAll({ 4: 'c0000201', 6: '' }, 4, paths),
        // bgpd closes the session on an invalid ORIGIN.
        ...(can.malformedUpdates ? [malformed] : []),
      ])
      await eventually(async () => {
        const { logError, rejections } = await scenario.edge.refusedFromUpstreams()
        expect(logError).toBeNull()
        const reported = rejections.map(({ upstream, prefix, rejection }) => [upstream, prefix, rejection])
        expect(reported.toSorted((a, b) => Number(a[2]) - Number(b[2]))).toEqual([
          [name, prefixOf(4, 2), AS_SET_REJECTION],
          [name, prefixOf(4, 1), CONFEDERATION_REJECTION],
          ...(can.malformedUpdates ? [[name, prefixOf(4, 9), MALFORMED_REJECTION]] : []),
        ])
        for (const { at } of rejections) expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000)
      })
    } finally {
      await scenario.stop()
    }
  })
})
