/** A frozen QEMU must not block the other machines, or the portal. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../conformance-subjects.ts'
import type { Hypervisor, MachineSpec } from '../index.ts'

const subject = await libvirtSubject()

const makeSpec = (label: string, mac: string): MachineSpec => ({
  uuid: randomUUID(),
  label,
  cpus: 1,
  memory: 128,
  diskSize: 1,
  image: 'longhaul-appliance',
  nic: { mac, allowedSources: [] },
  bootFiles: {},
})

describe.skipIf(subject.skip !== null)('beside a frozen machine', () => {
  const frozen = makeSpec('frozen', '52:54:00:0d:00:01')
  const lively = makeSpec('lively', '52:54:00:0d:00:02')
  let hypervisor: Hypervisor

  beforeAll(async () => {
    hypervisor = await subject.open()
    for (const spec of [frozen, lively]) {
      await hypervisor.ensure(spec)
      await hypervisor.start(spec.uuid)
    }
    const pidFile = `/run/libvirt/qemu/lh-${subject.bridge.slice(3)}-${frozen.label}.pid`
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGSTOP')
  }, 90_000)

  afterAll(async () => {
    for (const spec of [frozen, lively]) await hypervisor.remove(spec.uuid)
    await subject.close()
  }, 120_000)

  const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
    const start = performance.now()
    return [await work, performance.now() - start]
  }

  it('the traffic of all is still counted, within seconds', async () => {
    const [stats, took] = await timed(hypervisor.stats())
    expect(took).toBeLessThan(6_000)
    expect(stats.map(({ uuid }) => uuid).sort()).toEqual([frozen.uuid, lively.uuid].sort())
    for (const entry of stats) expect(entry.rxBytes).toBeTypeOf('bigint')
  }, 20_000)

  it('the lively one is measured in full again the next time', async () => {
    const [stats, took] = await timed(hypervisor.stats())
    expect(took).toBeLessThan(2_000)
    expect(stats.find(({ uuid }) => uuid === lively.uuid)?.memoryTotal).toBe(128 << 20)
  })

  it('states are read at once', async () => {
    const [views, took] = await timed(hypervisor.list())
    expect(took).toBeLessThan(1_000)
    expect(views).toHaveLength(2)
  })

  it('it can be switched off by force', async () => {
    await hypervisor.stop(frozen.uuid, { mode: 'force' })
    expect(await hypervisor.state(frozen.uuid)).toBe('off')
    expect(await hypervisor.state(lively.uuid)).toBe('running')
  }, 60_000)
})
