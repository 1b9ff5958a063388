/** Tests what leaves a router's port when the guest sends arbitrary frames: a real guest sends every forged frame. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject, untilBooted } from '../conformance-subjects.ts'
import type { Hypervisor, MachineSpec } from '../index.ts'
import { forgedSamples, goodSamples, type Sample } from './testing/frames.ts'
import { openFrameLab, openTunnel, SEGMENT, type FrameLab } from './testing/frame-lab.ts'
import { tapName } from './xml/domain.ts'

const run = promisify(execFile)
const subject = await libvirtSubject()
const { own } = SEGMENT

const spec: MachineSpec = {
  uuid: randomUUID(),
  label: 'forger',
  cpus: 1,
  memory: 192,
  diskSize: 1,
  image: 'longhaul-appliance',
  nic: { mac: own.mac, allowedSources: [`${own.v4}/32`, '45.30.10.0/24', `${own.v6}/128`, '2d10:10::/32'] },
  bootFiles: {
    macs: `${own.mac} wan0\n`,
    'bird.conf': `router id ${own.v4};\nprotocol device {}\n`,
  },
}

const byKind = (samples: readonly Sample[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(samples, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length]))

describe.skipIf(subject.skip !== null)('the port of a router whose owner forges frames', () => {
  let hypervisor: Hypervisor
  let lab: FrameLab
  const isSeen = ({ frame }: Sample) => lab.seen.gateway.has(frame.toString('hex'))
  const framesFromGuest = async (): Promise<number> =>
    Number(await readFile(`/sys/class/net/${tapName(subject.instance, spec.uuid)}/statistics/rx_packets`, 'utf8'))

  /** Frames lost on the way into the guest are sent again: it is enough that a good frame arrives once. */
  const sendGood = async (samples: readonly Sample[]): Promise<readonly Sample[]> => {
    let missing = samples
    for (let turn = 0; turn < 4 && missing.length > 0; turn++) {
      await lab.send(missing.map(({ frame }) => frame))
      missing = missing.filter((sample) => !isSeen(sample))
    }
    return missing
  }

  /** Resolves once all have left the guest: before that, their absence proves nothing. */
  const sendForged = async (samples: readonly Sample[]): Promise<void> => {
    const before = await framesFromGuest()
    const left = async () => (await framesFromGuest()) - before
    for (let turn = 0; turn < 4 && (await left()) < samples.length; turn++) {
      await lab.send(samples.map(({ frame }) => frame))
      const moment = performance.now()
      while ((await left()) < samples.length && performance.now() - moment < 5_000) await sleep(50)
    }
    expect(await left()).toBeGreaterThanOrEqual(samples.length)
    // Frames are captured in order, so any forged ones that got out have arrived once a good one has.
    lab.seen.gateway.delete(goodSamples(SEGMENT)[0]!.frame.toString('hex'))
    expect(await sendGood(goodSamples(SEGMENT).slice(0, 1))).toEqual([])
  }

  const answers = (address: string): Promise<boolean> =>
    run('ip', ['netns', 'exec', lab.gateway, 'ping', '-c', '2', '-W', '2', address]).then(
      () => true,
      () => false,
    )

  beforeAll(async () => {
    hypervisor = await subject.open()
    lab = await openFrameLab(subject.bridge)
    await hypervisor.ensure(spec)
    await hypervisor.start(spec.uuid)
    const guest = hypervisor.guest(spec.uuid)
    await untilBooted(guest)
    await openTunnel(guest)
  }, 120_000)

  afterAll(async () => {
    await hypervisor?.remove(spec.uuid)
    await lab?.close()
    await subject.close()
  }, 60_000)

  it('lets out every good frame', async () => {
    const samples = goodSamples(SEGMENT)
    expect(samples.length).toBeGreaterThanOrEqual(200)
    expect(byKind(await sendGood(samples))).toEqual({})
  }, 60_000)

  it('lets out no forged frame, and the packets of another router still reach it', async () => {
    const { victim } = SEGMENT
    for (const address of [victim.v4, victim.v6]) await expect.poll(() => answers(address)).toBe(true)
    const samples = forgedSamples(SEGMENT)
    expect(samples.length).toBeGreaterThanOrEqual(1_500)
    await sendForged(samples)
    expect(byKind(samples.filter(isSeen))).toEqual({})
    expect(samples.filter(({ frame }) => lab.seen.neighbor.has(frame.toString('hex')))).toEqual([])
    for (const address of [victim.v4, victim.v6]) {
      expect((await run('ip', ['-n', lab.gateway, 'neighbour', 'show', address])).stdout).toContain(victim.mac)
      expect(await answers(address)).toBe(true)
    }
  }, 120_000)

  it('is guarded again when the rules were flushed, and from the start of the next process', async () => {
    const samples = forgedSamples(SEGMENT).filter(({ kind }) => kind === 'an advertisement of an address of others')
    const table = `lh_${subject.instance}`
    expect(await hypervisor.guardPorts()).toEqual({ repaired: false })
    await run('nft', ['delete', 'table', 'bridge', table])
    expect(await hypervisor.guardPorts()).toEqual({ repaired: true })
    expect(await hypervisor.guardPorts()).toEqual({ repaired: false })
    await run('nft', ['flush', 'chain', 'bridge', table, 'advertisement'])
    expect(await hypervisor.guardPorts()).toEqual({ repaired: true })

    await run('nft', ['delete', 'table', 'bridge', table])
    const next = subject.reopen()
    await next.guardPorts()
    await next.close()
    await sendForged(samples)
    expect(byKind(samples.filter(isSeen))).toEqual({})
  }, 120_000)

  it('has the filter of libvirt again too, after everything was flushed', async () => {
    // What `nft flush ruleset` would do to every table on this machine.
    await run('nft', ['delete', 'table', 'bridge', `lh_${subject.instance}`])
    await run('nft', ['flush', 'chain', 'bridge', 'nat', `libvirt-I-${tapName(subject.instance, spec.uuid)}`])
    expect(await hypervisor.guardPorts()).toEqual({ repaired: true })
    const samples = forgedSamples(SEGMENT).filter(({ kind }) => kind === 'a packet from an address of others')
    await sendForged(samples)
    expect(byKind(samples.filter(isSeen))).toEqual({})
  }, 60_000)

  it('takes its rules with it when it is removed', async () => {
    await hypervisor.remove(spec.uuid)
    expect((await run('nft', ['list', 'tables'])).stdout).not.toContain(subject.instance)
  }, 30_000)
})
