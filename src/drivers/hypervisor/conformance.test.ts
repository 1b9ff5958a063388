/**
 * One suite for every implementation. On libvirt it starts real machines, so it starts few and checks a lot on each.
 */
import { once } from 'node:events'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HypervisorError, type Hypervisor, type HypervisorEvent, type MachineSpec, type MachineStats } from './index.ts'
import { findSubjects, type Subject } from './conformance-subjects.ts'

const BOOT_DEADLINE = 60_000

const subjects = await findSubjects()

function makeSpec(change: Partial<MachineSpec> = {}): MachineSpec {
  const tail = randomBytes(3).toString('hex')
  const mac = `52:54:00:${tail.match(/../g)!.join(':')}`
  return {
    uuid: randomUUID(),
    label: `router-${tail}`,
    cpus: 1,
    memory: 192,
    diskSize: 2,
    image: 'longhaul-appliance',
    nic: { mac, allowedSources: ['203.0.113.9/32', '45.30.10.0/24', '2001:db8:100::9/128'] },
    bootFiles: {
      hostname: 'kestrel\n',
      macs: `${mac} wan0\n`,
      'ip.batch': 'link set wan0 up\naddress add 203.0.113.9/24 dev wan0\n',
      'bird.conf': 'router id 203.0.113.9;\nprotocol device {}\n',
    },
    ...change,
  }
}

const kindOf = (error: unknown): string => (error instanceof HypervisorError ? error.kind : String(error))

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => kindOf(error),
  )
}

describe.each(subjects)('the hypervisor $name', (subject: Subject) => {
  if (subject.skip !== null) {
    it.skip(`is not tried here: ${subject.skip}`)
    return
  }
  let hypervisor: Hypervisor
  const made: string[] = []

  const ensure = (spec: MachineSpec) => {
    made.push(spec.uuid)
    return hypervisor.ensure(spec)
  }

  beforeAll(async () => {
    hypervisor = await subject.open()
  }, 90_000)

  afterAll(async () => {
    for (const uuid of made) await hypervisor.remove(uuid).catch(() => {})
    await subject.close()
  }, 120_000)

  it('says what it is and how much it holds', async () => {
    const facts = await hypervisor.facts()
    expect(facts.driver).toBe(hypervisor.kind)
    expect(facts.cpus).toBeGreaterThan(0)
    expect(facts.memory).toBeGreaterThan(0)
    expect(facts.cpuUsage).toBeGreaterThanOrEqual(0)
    expect(facts.memoryUsage).toBeLessThanOrEqual(1)
    expect((await hypervisor.images()).map(({ name }) => name)).toContain('longhaul-appliance')
  })

  it('defines a machine once, and finds nothing to do the second time', async () => {
    const spec = makeSpec()
    expect(await ensure(spec)).toEqual({ changed: 'live' })
    expect(await hypervisor.ensure(spec)).toEqual({ changed: 'nothing' })
    expect(await hypervisor.state(spec.uuid)).toBe('off')
    expect(await hypervisor.list()).toContainEqual({ uuid: spec.uuid, state: 'off' })
    expect(await hypervisor.orphanedResources()).not.toContain(spec.uuid)
    await hypervisor.remove(spec.uuid)
    expect(await hypervisor.state(spec.uuid)).toBe('absent')
    expect((await hypervisor.list()).map(({ uuid }) => uuid)).not.toContain(spec.uuid)
    expect(await hypervisor.orphanedResources()).not.toContain(spec.uuid)
  })

  it('gives two machines of one label their own identity', async () => {
    const [first, second] = [makeSpec({ label: 'twin' }), makeSpec({ label: 'twin' })]
    await ensure(first)
    await ensure(second)
    const uuids = (await hypervisor.list()).map(({ uuid }) => uuid)
    expect(uuids).toEqual(expect.arrayContaining([first.uuid, second.uuid]))
    await hypervisor.remove(first.uuid)
    expect(await hypervisor.state(second.uuid)).toBe('off')
  })

  it('takes a change of a machine that is off as done', async () => {
    const spec = makeSpec()
    await ensure(spec)
    expect(await hypervisor.ensure({ ...spec, memory: 256, diskSize: 3, label: 'renamed' })).toEqual({
      changed: 'live',
    })
    expect(await hypervisor.ensure({ ...spec, memory: 256, diskSize: 3, label: 'renamed' })).toEqual({
      changed: 'nothing',
    })
  })

  it.each([
    ['a label with markup', { label: "a'/><b>" }],
    ['a label that is too long', { label: 'a'.repeat(41) }],
    ['a group MAC address', { nic: { mac: '53:54:00:00:00:01', allowedSources: [] } }],
    ['an allowed source with host bits', { nic: { mac: '52:54:00:00:00:01', allowedSources: ['192.0.2.1/24'] } }],
    ['a boot file outside of its folder', { bootFiles: { '../etc/passwd': 'root' } }],
    ['no memory', { memory: 0 }],
  ])('refuses %s and leaves nothing behind', async (_what, change) => {
    const spec = makeSpec(change)
    expect(await failureOf(hypervisor.ensure(spec))).toBe('refused')
    expect(await hypervisor.state(spec.uuid)).toBe('absent')
  })

  it('refuses an image that it does not have', async () => {
    expect(await failureOf(hypervisor.ensure(makeSpec({ image: '../../etc' })))).toBe('not-found')
  })

  it('stops and removes what is not there, and does not start it', async () => {
    const uuid = randomUUID()
    await hypervisor.stop(uuid, { mode: 'graceful' })
    await hypervisor.stop(uuid, { mode: 'force' })
    await hypervisor.remove(uuid)
    expect(await hypervisor.state(uuid)).toBe('absent')
    expect(await failureOf(hypervisor.start(uuid))).toBe('not-found')
    expect(await failureOf(hypervisor.openSerial(uuid))).toBe('not-found')
  })

  it('has no console, display or agent for a machine that is off', async () => {
    const spec = makeSpec()
    await ensure(spec)
    expect(await failureOf(hypervisor.openSerial(spec.uuid))).toBe('invalid-state')
    expect(await failureOf(hypervisor.openDisplay(spec.uuid))).toBe('invalid-state')
    expect(await failureOf(hypervisor.reset(spec.uuid))).toBe('invalid-state')
    expect(['agent-silent', 'invalid-state']).toContain(await failureOf(hypervisor.guest(spec.uuid).ping()))
  })

  it('ends a shutdown with the boot that it was for, and leaves the next boot alone', async () => {
    const spec = makeSpec()
    await ensure(spec)
    await hypervisor.start(spec.uuid)
    // The guest still boots and does not react: the shutdown would wait for its deadline.
    const shutdown = hypervisor.stop(spec.uuid, { mode: 'graceful', deadlineMs: 4_000 })
    await sleep(20)
    await hypervisor.stop(spec.uuid, { mode: 'force' })
    expect(await hypervisor.endedBy(spec.uuid)).toBe('host')
    await hypervisor.start(spec.uuid)
    await shutdown
    await sleep(4_500)
    expect(await hypervisor.state(spec.uuid)).toBe('running')
    await hypervisor.remove(spec.uuid)
  }, 120_000)

  it('gives a shutdown up when its caller does, and leaves the machine running', async () => {
    const spec = makeSpec()
    await ensure(spec)
    await hypervisor.start(spec.uuid)
    const caller = new AbortController()
    const shutdown = hypervisor.stop(spec.uuid, { mode: 'graceful', deadlineMs: 3_000, signal: caller.signal })
    await sleep(20)
    caller.abort()
    await shutdown
    await sleep(3_500)
    expect(await hypervisor.state(spec.uuid)).toBe('running')
    await hypervisor.remove(spec.uuid)
  }, 120_000)

  describe('with a machine that runs', () => {
    const spec = makeSpec()
    const seen: HypervisorEvent[] = []
    const listening = new AbortController()
    let serial = ''

    beforeAll(async () => {
      void (async () => {
        for await (const event of hypervisor.events(listening.signal)) seen.push(event)
      })()
      await ensure(spec)
      await hypervisor.start(spec.uuid)
      const stream = await hypervisor.openSerial(spec.uuid)
      stream.on('data', (chunk: Buffer) => {
        serial += chunk.toString()
      })
      await until(() => serial.includes('VR-READY'), 'the guest says that it is ready')
      await until(
        async () => (await failureOf(hypervisor.guest(spec.uuid).ping())) === 'nothing failed',
        'the agent answers',
      )
    }, BOOT_DEADLINE + 30_000)

    afterAll(() => listening.abort())

    it('tells of it: first that it is connected, then the start, then the agent', async () => {
      await until(() => seen.some((event) => event.type === 'agent' && event.up), 'the agent is announced')
      expect(seen[0]).toEqual({ type: 'connected' })
      expect(seen).toContainEqual({ type: 'machine', uuid: spec.uuid, state: 'running' })
      expect(seen).toContainEqual({ type: 'agent', uuid: spec.uuid, up: true })
    })

    it('is running, and starting it again changes nothing', async () => {
      await hypervisor.start(spec.uuid)
      expect(await hypervisor.state(spec.uuid)).toBe('running')
    })

    it('counts what it uses', async () => {
      // A machine that does not answer in time reports only its traffic, without its load.
      let stats: MachineStats | undefined
      const usedTime = async () => {
        stats = (await hypervisor.stats()).find(({ uuid }) => uuid === spec.uuid)
        return stats?.cpuTimeNs ?? 0n
      }
      await expect.poll(usedTime, { timeout: 15_000 }).toBeGreaterThan(0n)
      expect(stats).toMatchObject({ memoryTotal: 192 << 20, rxBytes: expect.any(BigInt) })
    })

    it('takes new allowed sources while it runs', async () => {
      const allowedSources = [...spec.nic.allowedSources, '45.30.11.0/24', '2d10:10::/32']
      const wider = { ...spec, nic: { ...spec.nic, allowedSources } }
      expect(await hypervisor.ensure(wider)).toEqual({ changed: 'live' })
      expect(await hypervisor.ensure(wider)).toEqual({ changed: 'nothing' })
    })

    it('says that other hardware needs a restart, until it is the old hardware again', async () => {
      const larger = { ...spec, memory: 256 }
      expect(await hypervisor.ensure(larger)).toEqual({ changed: 'needs-restart' })
      expect(await hypervisor.ensure(larger)).toEqual({ changed: 'needs-restart' })
      expect(await hypervisor.ensure(spec)).toEqual({ changed: 'live' })
    })

    it('writes a file into the guest and runs a program that reads it', async () => {
      const guest = hypervisor.guest(spec.uuid)
      const text = `router id 203.0.113.9;\nprotocol device {}\n# ${'x'.repeat(60_000)}\n`
      await guest.writeFile('/etc/vr/bird.conf', text)
      const read = await guest.exec(['cat', '/etc/vr/bird.conf'])
      expect(read).toEqual({ exitCode: 0, stdout: text, stderr: '' })
      const configured = await guest.exec(['birdc', 'configure'])
      expect(configured.stdout).toContain('Reconfigured')
      // No shell reads it: shell syntax is plain text here.
      expect((await guest.exec(['echo', '$(hostname)', ';', 'help'])).stdout).toBe('$(hostname) ; help\n')
    }, 40_000)

    it('answers on the serial console, and a second opener takes over', async () => {
      const first = await hypervisor.openSerial(spec.uuid)
      const ended = once(first, 'close')
      first.resume()
      const second = await hypervisor.openSerial(spec.uuid)
      await ended
      let text = ''
      second.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      second.write('hostname\r')
      await until(() => /hostname\r\n[^]*kestrel\r\n/.test(text), 'the shell answers')
      second.destroy()
    }, 40_000)

    it('shows a display that speaks RFB', async () => {
      const display = await hypervisor.openDisplay(spec.uuid)
      display.once('error', () => {})
      const [greeting] = (await once(display, 'data')) as [Buffer]
      expect(greeting.toString('latin1', 0, 12)).toBe('RFB 003.008\n')
      display.destroy()
    })

    it('does not make the disk of a running machine again', async () => {
      expect(await failureOf(hypervisor.reinstall(spec.uuid))).toBe('invalid-state')
    })

    it('stops gracefully, makes its disk again, and is gone after the removal', async () => {
      await hypervisor.stop(spec.uuid, { mode: 'graceful', deadlineMs: 40_000 })
      expect(await hypervisor.state(spec.uuid)).toBe('off')
      expect(await hypervisor.endedBy(spec.uuid)).toBe('guest')
      await until(() => seen.some((event) => event.type === 'machine' && event.state === 'off'), 'the end is announced')
      await hypervisor.stop(spec.uuid, { mode: 'graceful' })
      await hypervisor.reinstall(spec.uuid)
      await hypervisor.start(spec.uuid)
      await hypervisor.stop(spec.uuid, { mode: 'force' })
      expect(await hypervisor.state(spec.uuid)).toBe('off')
      await hypervisor.remove(spec.uuid)
      await hypervisor.remove(spec.uuid)
      expect(await hypervisor.state(spec.uuid)).toBe('absent')
    }, 120_000)
  })
})

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + BOOT_DEADLINE; !(await holds()); await sleep(50))
    if (performance.now() > end) throw new Error(`waited ${BOOT_DEADLINE / 1000} s in vain until ${what}`)
}
