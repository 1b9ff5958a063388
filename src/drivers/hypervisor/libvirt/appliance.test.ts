/** Tests on a real guest what `images/README.md` promises. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject, untilBooted } from '../conformance-subjects.ts'
import type { GuestChannel, Hypervisor, MachineSpec } from '../index.ts'

const subject = await libvirtSubject()
const BIRD_CONF = '/etc/vr/bird.conf'
const birdConf = (note: string) => `# ${note}\nrouter id 203.0.113.9;\nprotocol device {}\n`

const spec: MachineSpec = {
  uuid: randomUUID(),
  label: 'appliance',
  cpus: 1,
  memory: 192,
  diskSize: 1,
  image: 'longhaul-appliance',
  nic: { mac: '52:54:00:0c:0b:0a', allowedSources: [] },
  bootFiles: { hostname: 'kestrel\n', 'bird.conf': birdConf('from the boot files') },
}

describe.skipIf(subject.skip !== null)('the appliance', () => {
  let hypervisor: Hypervisor
  let guest: GuestChannel

  beforeAll(async () => {
    hypervisor = await subject.open()
    guest = hypervisor.guest(spec.uuid)
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    await untilBooted(guest)
  }, 120_000)

  afterAll(async () => {
    await hypervisor.remove(spec.uuid)
    await subject.close()
  }, 60_000)

  const read = async (path: string) => (await guest.exec(['cat', path])).stdout
  const dataBlocks = async () => Number((await guest.exec(['stat', '-f', '-c', '%b', '/data'])).stdout)

  it('takes the configuration that the portal writes while it runs', async () => {
    await guest.writeFile(BIRD_CONF, `${birdConf('from the portal')}protocol static later { ipv4; }\n`)
    expect((await guest.exec(['birdc', 'configure'])).stdout).toContain('Reconfigured')
    expect((await guest.exec(['birdc', 'show', 'protocols'])).stdout).toContain('later')
  })

  it('keeps that configuration over a warm reboot, though the boot files are the old ones', async () => {
    await hypervisor.reset(spec.uuid)
    // The agent from before the reset may answer for a moment longer.
    await sleep(2_000)
    await untilBooted(guest)
    expect(await read(BIRD_CONF)).toContain('from the portal')
  }, 60_000)

  it('boots the new boot files after a stop, on a disk that has grown and kept its content', async () => {
    const before = await dataBlocks()
    await guest.writeFile('/data/kept', 'still here')
    await hypervisor.stop(spec.uuid, { mode: 'graceful', deadlineMs: 30_000 })
    const bootFiles = { ...spec.bootFiles, 'bird.conf': birdConf('from new boot files') }
    expect(await hypervisor.ensure({ ...spec, diskSize: 2, bootFiles })).toEqual({ changed: 'live' })
    await hypervisor.start(spec.uuid)
    await untilBooted(guest)
    expect(await read(BIRD_CONF)).toContain('from new boot files')
    expect(await read('/data/kept')).toBe('still here')
    expect(await dataBlocks()).toBeGreaterThan(before * 1.8)
  }, 90_000)

  it('starts BIRD again when it dies', async () => {
    const status = async () => (await guest.exec(['birdc', 'show', 'status'])).stdout
    expect(await status()).toContain('Daemon is up')
    await guest.exec(['killall', '-9', 'bird'])
    for (let tries = 0; tries < 20 && !(await status()).includes('Daemon is up'); tries += 1) await sleep(500)
    expect(await status()).toContain('Daemon is up')
  }, 40_000)
})
