import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untilBooted } from '../conformance-subjects.ts'
import type { MachineSpec } from '../index.ts'
import { createSimulatedHypervisor } from './index.ts'

const spec: MachineSpec = {
  uuid: randomUUID(),
  label: 'kestrel',
  cpus: 1,
  memory: 192,
  diskSize: 1,
  image: 'longhaul-appliance',
  nic: { mac: '52:54:00:00:00:01', allowedSources: [] },
  bootFiles: { hostname: 'kestrel\n', 'bird.conf': 'protocol bgp edge4 {\n}\n' },
}

describe('the simulated hypervisor', () => {
  it('has its machines still, running and with their files, after the portal was restarted', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lh-simulated-'))
    try {
      const before = createSimulatedHypervisor({ directory, bootMs: 20 })
      await before.ensure(spec)
      await before.start(spec.uuid)
      await untilBooted(before.guest(spec.uuid))
      await before.guest(spec.uuid).writeFile('/etc/vr/note', 'kept')
      await before.close()
      const after = createSimulatedHypervisor({ directory, bootMs: 20 })
      expect(await after.list()).toEqual([{ uuid: spec.uuid, state: 'running' }])
      expect((await after.guest(spec.uuid).exec(['cat', '/etc/vr/note'])).stdout).toBe('kept')
      expect(await after.ensure(spec)).toEqual({ changed: 'nothing' })
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('shows the sessions that its configuration names, and says what is wrong with one that is cut off', async () => {
    const hypervisor = createSimulatedHypervisor({ bootMs: 10 })
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    const guest = hypervisor.guest(spec.uuid)
    await untilBooted(guest)
    expect((await guest.exec(['birdc', 'show', 'protocols'])).stdout).toMatch(/^edge4 +BGP .*Established$/m)
    await guest.writeFile('/etc/vr/bird.conf', 'protocol bgp edge4 {')
    expect((await guest.exec(['birdc', 'configure'])).stdout).toContain('syntax error')
  })

  it('does not switch off a machine that was started again while its shutdown waited', async () => {
    const hypervisor = createSimulatedHypervisor({ bootMs: 10, shutdownMs: 60 })
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    const shutdown = hypervisor.stop(spec.uuid, { mode: 'graceful' })
    await hypervisor.stop(spec.uuid, { mode: 'force' })
    await hypervisor.start(spec.uuid)
    await shutdown
    expect(await hypervisor.state(spec.uuid)).toBe('running')
  })

  it('paints its display for a client that asks for a frame', async () => {
    const hypervisor = createSimulatedHypervisor({ bootMs: 10 })
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    const display = await hypervisor.openDisplay(spec.uuid)
    const received: Buffer[] = []
    display.on('data', (chunk: Buffer) => received.push(chunk))
    const request = Buffer.from([3, 0, 0, 0, 0, 0, 2, 128, 0, 200])
    // In arbitrary chunks, as a network delivers them.
    const bytes = Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 1]), request])
    for (let at = 0; at < bytes.length; at += 5) display.write(bytes.subarray(at, at + 5))
    const frame = () => Buffer.concat(received).subarray(12 + 2 + 4 + 24 + 'simulated'.length)
    await expect.poll(() => frame().length).toBe(16 + 640 * 200 * 4)
    const drawn = frame()
    const pixels = new Set(Array.from({ length: 640 * 200 }, (_, index) => drawn.readUInt32LE(16 + index * 4)))
    expect(pixels.size).toBe(2)
    display.destroy()
  })
})
