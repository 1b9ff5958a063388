/** Tests what the network filter lets out of a router: a real guest sends to a gateway in a separate namespace. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject, untilBooted } from '../conformance-subjects.ts'
import type { GuestChannel, Hypervisor, MachineSpec } from '../index.ts'

const run = promisify(execFile)
const subject = await libvirtSubject()
const MAC = '52:54:00:0a:0b:0c'
const FOREIGN_MAC = '52:54:00:0a:0b:0d'

const ADDRESSES = ['45.30.10.1/32', '45.30.99.1/32', '2d10:10::1/128', '2d10:99::1/128']

const spec: MachineSpec = {
  uuid: randomUUID(),
  label: 'isolation',
  cpus: 1,
  memory: 192,
  diskSize: 1,
  image: 'longhaul-appliance',
  nic: { mac: MAC, allowedSources: ['203.0.113.9/32', '45.30.10.0/24', '2001:db8:100::9/128', '2d10:10::/32'] },
  bootFiles: {
    macs: `${MAC} wan0\n`,
    'ip.batch': [
      'link set wan0 up',
      'address add 203.0.113.9/24 dev wan0',
      'address add 2001:db8:100::9/64 dev wan0 nodad',
      ...ADDRESSES.map((address) => `address add ${address} dev lo`),
      '',
    ].join('\n'),
    'bird.conf': 'router id 203.0.113.9;\nprotocol device {}\n',
  },
}

describe.skipIf(subject.skip !== null)('the port of a router', () => {
  const namespace = `lht${subject.bridge.slice(3)}`
  const cable = `lhv${subject.bridge.slice(3)}`
  const inside = (...args: string[]) => run('ip', ['-n', namespace, ...args])
  let hypervisor: Hypervisor
  let guest: GuestChannel

  beforeAll(async () => {
    hypervisor = await subject.open()
    await run('ip', ['netns', 'add', namespace])
    await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'gate', 'netns', namespace])
    await run('ip', ['link', 'set', cable, 'master', subject.bridge, 'up'])
    await inside('link', 'set', 'gate', 'up')
    await inside('address', 'add', '203.0.113.1/24', 'dev', 'gate')
    await inside('address', 'add', '2001:db8:100::1/64', 'dev', 'gate', 'nodad')
    // The gateway would answer each of them: a missing reply was stopped at the port.
    for (const prefix of ['45.30.10.0/24', '45.30.99.0/24']) await inside('route', 'add', prefix, 'via', '203.0.113.9')
    for (const prefix of ['2d10:10::/32', '2d10:99::/32'])
      await inside('route', 'add', prefix, 'via', '2001:db8:100::9')
    await run('ip', ['netns', 'exec', namespace, 'sysctl', '-qw', 'net.ipv4.conf.gate.arp_accept=1'])
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    guest = hypervisor.guest(spec.uuid)
    await untilBooted(guest)
  }, 120_000)

  afterAll(async () => {
    await hypervisor.remove(spec.uuid)
    await run('ip', ['link', 'del', cable]).catch(() => {})
    await run('ip', ['netns', 'del', namespace]).catch(() => {})
    await subject.close()
  }, 60_000)

  const answersTo = async (source: string): Promise<boolean> => {
    const gateway = source.includes(':') ? '2001:db8:100::1' : '203.0.113.1'
    const { exitCode } = await guest.exec(['ping', '-c', '2', '-W', '1', '-I', source, gateway])
    return exitCode === 0
  }

  it.each(['203.0.113.9', '45.30.10.1', '2001:db8:100::9', '2d10:10::1'])(
    'lets out what comes from the allowed %s',
    async (source) => {
      expect(await answersTo(source)).toBe(true)
    },
  )

  it.each(['45.30.99.1', '2d10:99::1'])('stops what comes from the foreign %s', async (source) => {
    expect(await answersTo(source)).toBe(false)
  })

  it('lets a prefix out once it is approved, and stops it once it is not, without a restart', async () => {
    const wider = [...spec.nic.allowedSources, '45.30.99.0/24', '2d10:99::/32']
    await hypervisor.ensure({ ...spec, nic: { mac: MAC, allowedSources: wider } })
    expect(await answersTo('45.30.99.1')).toBe(true)
    expect(await answersTo('2d10:99::1')).toBe(true)
    await hypervisor.ensure(spec)
    expect(await answersTo('45.30.99.1')).toBe(false)
  }, 40_000)

  it("stops ARP that claims a neighbour's address", async () => {
    const claim = async (address: string) => {
      await inside('neighbour', 'flush', 'all')
      await guest.exec(['arping', '-U', '-c', '1', '-w', '2', '-I', 'wan0', '-s', address, address])
      return (await inside('neighbour', 'show', address)).stdout
    }
    expect(await claim('203.0.113.9')).toContain(MAC)
    expect(await claim('203.0.113.77')).not.toContain(MAC)
  }, 30_000)

  it('stops frames with a MAC address that is not its own', async () => {
    await guest.exec(['/usr/sbin/ip', 'link', 'set', 'wan0', 'address', FOREIGN_MAC])
    expect(await answersTo('203.0.113.9')).toBe(false)
    await guest.exec(['/usr/sbin/ip', 'link', 'set', 'wan0', 'address', MAC])
    expect(await answersTo('203.0.113.9')).toBe(true)
  }, 30_000)
})
