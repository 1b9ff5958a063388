import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import { inNamespace, ip } from '../../../../lab/network/ip.ts'
import type { SegmentHost } from '../index.ts'
import { because, eventually, skipReason, startScenario, type Scenario } from './scenario.ts'
import type { Speaker } from './speaker.ts'

const VICTIM = { 4: '203.0.113.10', 6: '2001:db8:100::a' } as const
const FAMILIES = [4, 6] as const
const PACKETS = 30
const ATTACKER_MAC = '02:00:00:00:0b:'

describe.skipIf(skipReason)(`the neighbour tables of an edge${because}`, () => {
  let scenario: Scenario
  let victim: Speaker
  let attacker: Speaker
  let hosts: SegmentHost[]
  const edgeNamespace = () => scenario.network.names.edgeNamespace
  let turn = 0

  beforeAll(async () => {
    scenario = await startScenario()
    victim = await scenario.speaker({ host: 10, asn: 500_010 })
    attacker = await scenario.speaker({ host: 11, asn: 500_011 })
    const mac = await macIn(victim.namespace)
    hosts = FAMILIES.map((family) => ({ address: VICTIM[family], mac, gateway: LAB.segment[family].gateway }))
    // Ports here have no filter: only the tables separate the two.
    for (const setting of ['ipv4.conf.eth0.arp_notify', 'ipv6.conf.eth0.ndisc_notify'])
      await inNamespace(attacker.namespace, 'sysctl', '-qw', `net.${setting}=1`)
    for (const [family, length] of [
      [4, 24],
      [6, 64],
    ] as const)
      await ip(
        '-netns',
        attacker.namespace,
        'address',
        'add',
        `${VICTIM[family]}/${length}`,
        'dev',
        'eth0',
        ...nodad(family),
      )
  })
  afterAll(() => scenario?.stop())

  /** A new MAC address makes the kernel announce all its addresses: gratuitous ARP, and overriding advertisements. */
  const attack = async (): Promise<void> => {
    turn += 1
    await ip(
      '-netns',
      attacker.namespace,
      'link',
      'set',
      'eth0',
      'address',
      `${ATTACKER_MAC}${turn.toString(16).padStart(2, '0')}`,
    )
    await sleep(100)
  }
  const entry = (family: 4 | 6) => ip('-netns', edgeNamespace(), 'neighbour', 'show', VICTIM[family], 'dev', 'seg0')
  const reachBoth = async () => {
    for (const family of FAMILIES) await inNamespace(edgeNamespace(), 'ping', '-c', '1', '-W', '2', VICTIM[family])
  }
  /** Counts how many of the packets that the edge sends to the address arrive at a router. */
  const arrive = async (family: 4 | 6, at: Speaker): Promise<number> => {
    const before = await countUnclaimed(at.namespace, family)
    const send = `for i in $(seq ${PACKETS}); do echo > /dev/udp/${VICTIM[family]}/9; done; true`
    await inNamespace(edgeNamespace(), 'bash', '-c', send)
    await sleep(200)
    return (await countUnclaimed(at.namespace, family)) - before
  }

  test('an address that is not pinned is taken over by the last host that speaks, which the following tests rule out', async () => {
    await reachBoth()
    await eventually(async () => {
      await attack()
      for (const family of FAMILIES) expect(await entry(family)).toContain(ATTACKER_MAC)
    })
    for (const family of FAMILIES) expect(await arrive(family, attacker)).toBeGreaterThan(0)
  })

  test('go back to the owner when its addresses are pinned, and stay there whatever others announce', async () => {
    expect(await scenario.edge.pinNeighbors(hosts)).toEqual({ changed: 2 })
    for (let round = 0; round < 3; round++) {
      await attack()
      for (const family of FAMILIES) expect(await entry(family)).toMatch(new RegExp(`${hosts[0]!.mac} PERMANENT`))
      await sleep(1_000)
    }
    for (const family of FAMILIES) {
      expect(await arrive(family, victim)).toBe(PACKETS)
      expect(await arrive(family, attacker)).toBe(0)
    }
  })

  test('are put right when an entry was changed, released or deleted, and when the link was down', async () => {
    const [four, six] = hosts as [SegmentHost, SegmentHost]
    const wrong = ['lladdr', `${ATTACKER_MAC}aa`, 'dev', 'seg0']
    await ip('-netns', edgeNamespace(), 'neighbour', 'replace', four.address, ...wrong, 'nud', 'permanent')
    await ip('-netns', edgeNamespace(), 'neighbour', 'change', six.address, ...wrong, 'nud', 'reachable')
    expect(await scenario.edge.pinNeighbors(hosts)).toEqual({ changed: 2 })
    await ip('-netns', edgeNamespace(), 'neighbour', 'del', six.address, 'dev', 'seg0')
    expect(await scenario.edge.pinNeighbors(hosts)).toEqual({ changed: 1 })
    await ip('-netns', edgeNamespace(), 'link', 'set', 'seg0', 'down')
    await ip('-netns', edgeNamespace(), 'link', 'set', 'seg0', 'up')
    await ip('-netns', edgeNamespace(), 'address', 'replace', `${LAB.segment[6].gateway}/64`, 'dev', 'seg0', 'nodad')
    await scenario.edge.pinNeighbors(hosts)
    for (const family of FAMILIES) expect(await entry(family)).toMatch(new RegExp(`${four.mac} PERMANENT`))
  })

  test('survive a restart of the portal, which changes nothing in them and still knows which are its own', async () => {
    const again = scenario.reopen()
    expect(await again.pinNeighbors(hosts)).toEqual({ changed: 0 })
    await ip(
      '-netns',
      edgeNamespace(),
      'neighbour',
      'replace',
      '203.0.113.200',
      'lladdr',
      '02:00:00:00:00:c8',
      'dev',
      'seg0',
      'nud',
      'permanent',
    )
    expect(await again.pinNeighbors([])).toEqual({ changed: 2 })
    expect(await again.pinnedNeighbors()).toEqual([])
    // The operator's own entry.
    expect(await ip('-netns', edgeNamespace(), 'neighbour', 'show', '203.0.113.200')).toContain('PERMANENT')
  })

  test('are written as far as they can be where a gateway is missing, and the refusal says which', async () => {
    const elsewhere = { address: '203.0.114.10', mac: hosts[0]!.mac, gateway: '203.0.114.1' }
    await expect(scenario.edge.pinNeighbors([elsewhere, ...hosts])).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('No interface of this machine has 203.0.114.1'),
    })
    expect(await scenario.edge.pinnedNeighbors()).toHaveLength(2)
  })
})

const nodad = (family: 4 | 6): string[] => (family === 6 ? ['nodad'] : [])

async function macIn(namespace: string): Promise<string> {
  const [link] = JSON.parse(await ip('-netns', namespace, '-json', 'link', 'show', 'dev', 'eth0')) as {
    address: string
  }[]
  return link!.address
}

/** Counts datagrams to a port without a listener. */
async function countUnclaimed(namespace: string, family: 4 | 6): Promise<number> {
  if (family === 6) {
    const text = await inNamespace(namespace, 'cat', '/proc/net/snmp6')
    return Number(/^Udp6NoPorts\s+(\d+)$/m.exec(text)?.[1])
  }
  const text = await inNamespace(namespace, 'cat', '/proc/net/snmp')
  const [names, values] = text.split('\n').filter((line) => line.startsWith('Udp:')) as [string, string]
  return Number(values.split(' ')[names.split(' ').indexOf('NoPorts')])
}
