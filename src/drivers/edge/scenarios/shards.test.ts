/** Customers with only the default route use separate tables; neither they nor others can notice that. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import { inNamespace } from '../../../../lab/network/ip.ts'
import { SHARDS } from '../bird/render-shards.ts'
import type { EdgeExport } from '../index.ts'
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

const BLACKHOLE = [[65535, 666]] as const
/** Two customers in one shard, one in another, and one who gets the full table. */
const CUSTOMERS = {
  kestrel: { id: 10, host: 10, asn: 500_010, third: 10 },
  heron: { id: 10 + SHARDS, host: 42, asn: 500_042, third: 42 },
  dipper: { id: 11, host: 11, asn: 500_011, third: 11 },
  sandpiper: { id: 30, host: 30, asn: 500_030, third: 30 },
} as const
type Name = keyof typeof CUSTOMERS
const NAMES = Object.keys(CUSTOMERS) as Name[]
const BEHIND_DEFAULT = ['kestrel', 'heron', 'dipper'] as const

const prefix4 = (name: Name): string => `45.30.${CUSTOMERS[name].third}.0/24`
const prefix6 = (name: Name): string => `2d10:${CUSTOMERS[name].third}::/32`
const address4 = (name: Name): string => `45.30.${CUSTOMERS[name].third}.1`
const address6 = (name: Name): string => `2d10:${CUSTOMERS[name].third}::1`

describe.skipIf(skipReason)(`customers with a default route beside one with the full table${because}`, () => {
  let scenario: Scenario
  const speakers = {} as Record<Name, Speaker>
  const announced = (name: Name) => [{ prefix: prefix4(name) }, { prefix: prefix6(name) }]
  const apply = (exports: Partial<Record<Name, EdgeExport>> = {}, disabled: readonly Name[] = []) =>
    scenario.edge.apply(
      stateOf(
        ...NAMES.map((name) =>
          customerOf(speakers[name], {
            id: CUSTOMERS[name].id,
            asn: CUSTOMERS[name].asn,
            enabled: !disabled.includes(name),
            accept: announced(name).map(({ prefix }) => ({ prefix, origin: CUSTOMERS[name].asn })),
            exports: exports[name] ?? (name === 'sandpiper' ? 'full' : 'default'),
          }),
        ),
      ),
    )
  const heard = async (name: Name, family: 4 | 6 = 4) =>
    (await speakers[name].ask(`show route protocol transit${family}`))
      .map((line) => line.split(' ')[0]!)
      .filter((text) => text.includes('/'))
  const defaultRoute = async (name: Name) => (await speakers[name].ask('show route 0.0.0.0/0 all')).join('\n')
  const ping = (name: Name, from: string, to: string) =>
    inNamespace(speakers[name].namespace, 'ping', '-c', '1', '-W', '1', '-I', from, to)
  const since = async () => {
    const sessions = await scenario.edge.sessions()
    return Map.groupBy(
      sessions.map((session) => [session.customerId, session.since?.getTime()] as const),
      ([customerId]) => customerId,
    )
  }

  beforeAll(async () => {
    scenario = await startScenario()
    for (const name of NAMES) {
      const { host, asn } = CUSTOMERS[name]
      speakers[name] = await scenario.speaker({
        host,
        asn,
        addresses: [`${address4(name)}/32`, `${address6(name)}/128`],
      })
      await speakers[name].announce(announced(name))
    }
    await apply()
    await untilEstablished(scenario.edge, 2 * NAMES.length)
  })
  afterAll(() => scenario?.stop())

  test.each(BEHIND_DEFAULT)('%s is sent the default route and nothing of others, in both families', async (name) => {
    await eventually(async () => expect(await heard(name)).toEqual(['0.0.0.0/0']))
    await eventually(async () => expect(await heard(name, 6)).toEqual(['::/0']))
  })

  test('the customer with the full table hears the routes of all others, by our address, and no default route', async () => {
    await eventually(async () => {
      const full = await heard('sandpiper')
      expect(full).toEqual(expect.arrayContaining(['45.31.128.0/17', ...BEHIND_DEFAULT.map(prefix4)]))
      expect(full).not.toContain('0.0.0.0/0')
    })
    const route = (await speakers.sandpiper.ask(`show route ${prefix4('heron')} all`)).join('\n')
    expect(route).toContain('BGP.as_path: 500000 500042\n')
    expect(route).toContain('BGP.next_hop: 203.0.113.1\n')
    expect(route).not.toContain('(500000, 2,')
  })

  test('the upstream hears the routes of all customers, and no default route', async () => {
    const all = NAMES.flatMap((name) => [prefix4(name), prefix6(name)])
    await eventually(async () => expect([...(await scenario.atUpstream()).keys()].sort()).toEqual(all.sort()))
  })

  test.each<[string, Name, Name]>([
    ['of one shard', 'kestrel', 'heron'],
    ['of two shards', 'kestrel', 'dipper'],
    ['with a default route and with the full table', 'heron', 'sandpiper'],
  ])('traffic flows between customers %s', async (_what, from, to) => {
    await eventually(() => ping(from, address4(from), address4(to)))
    await eventually(() => ping(to, address6(to), address6(from)))
  })

  test('the looking glass shows the route of such a customer as the one that is used, and the default as what it is sent', async () => {
    const { id } = CUSTOMERS.heron
    expect((await scenario.edge.candidates('45.30.42.7/32', 10)).routes).toMatchObject([
      { prefix: '45.30.42.0/24', best: true, source: 'customer', customerId: id, localPreference: 200 },
    ])
    for (const within of [undefined, '8.8.8.0/24', prefix4('kestrel'), prefix4('sandpiper'), '45.31.128.0/20']) {
      const { routes } = await scenario.edge.sentRoutes(id, { ...(within && { within }), limit: 10 })
      expect(routes.map(({ prefix }) => prefix)).toEqual(within ? ['0.0.0.0/0'] : ['0.0.0.0/0', '::/0'])
    }
  })

  test("a default route of the operator's own replaces the placeholder for all of them, and its end brings it back", async () => {
    const file = join(scenario.network.edge.directory, 'local', 'default.conf')
    const via = LAB.link[4].upstream
    await writeFile(
      file,
      `protocol static own_default {
  ipv4 { table master4; import filter { bgp_community.add((65001, 7)); accept; }; };
  route 0.0.0.0/0 via ${via};
}
`,
    )
    await scenario.reloadEdge()
    for (const name of BEHIND_DEFAULT)
      await eventually(async () => expect(await defaultRoute(name)).toContain('(65001,7)'))
    const kernel = () => inNamespace(scenario.network.names.edgeNamespace, 'ip', 'route', 'show', 'default')
    await eventually(async () => expect(await kernel()).toContain(`via ${via}`))
    await rm(file)
    await scenario.reloadEdge()
    for (const name of BEHIND_DEFAULT)
      await eventually(async () => expect(await defaultRoute(name)).not.toContain('(65001,7)'))
    expect(await heard('kestrel')).toEqual(['0.0.0.0/0'])
    await eventually(async () => expect(await kernel()).toBe(''))
  })

  test('maintenance asks them to look for another way too (RFC 8326)', async () => {
    await scenario.setMaintenance(true)
    for (const name of BEHIND_DEFAULT)
      await eventually(async () => expect(await defaultRoute(name)).toContain('(65535,0)'))
    await scenario.setMaintenance(false)
    await eventually(async () => expect(await defaultRoute('heron')).not.toContain('(65535,0)'))
  })

  test('a blackhole drops traffic from a neighbour in the shard, and reaches the upstream but no customer', async () => {
    const host = `${address4('heron')}/32`
    await speakers.heron.announce([...announced('heron'), { prefix: host, communities: BLACKHOLE }])
    await eventually(async () =>
      expect((await scenario.atUpstream()).get(host)).toContain('BGP.community: (65535,666) (65535,65281)'),
    )
    await expect(ping('kestrel', address4('kestrel'), address4('heron'))).rejects.toThrow('ping')
    expect(await heard('sandpiper')).not.toContain(host)
    await speakers.heron.announce(announced('heron'))
    await eventually(() => ping('kestrel', address4('kestrel'), address4('heron')))
  })

  test('a customer that is held down is gone from the upstream and from the full table', async () => {
    await apply({}, ['dipper'])
    await eventually(async () => expect((await scenario.atUpstream()).has(prefix4('dipper'))).toBe(false))
    await eventually(async () => expect(await heard('sandpiper')).not.toContain(prefix4('dipper')))
    await apply()
    await eventually(async () => expect((await scenario.atUpstream()).has(prefix4('dipper'))).toBe(true))
  })

  test(
    'a customer who changes to the full table and back restarts its own sessions alone',
    { timeout: 60_000 },
    async () => {
      await untilEstablished(scenario.edge, 2 * NAMES.length)
      const before = await since()
      before.delete(CUSTOMERS.kestrel.id)
      const others = async () => {
        const now = await since()
        now.delete(CUSTOMERS.kestrel.id)
        return now
      }
      await apply({ kestrel: 'default-and-full' })
      await eventually(async () =>
        expect(await heard('kestrel')).toEqual(
          expect.arrayContaining(['0.0.0.0/0', '45.31.128.0/17', prefix4('heron')]),
        ),
      )
      await eventually(async () => expect((await scenario.atUpstream()).has(prefix4('kestrel'))).toBe(true))
      expect(await others()).toEqual(before)
      await apply()
      await eventually(async () => expect(await heard('kestrel')).toEqual(['0.0.0.0/0']))
      expect(await others()).toEqual(before)
    },
  )
})
