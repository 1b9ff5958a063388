import { execFile as execFileCallback } from 'node:child_process'
import { readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureNetwork, LAB } from '../../../../lab/network/index.ts'
import { ip } from '../../../../lab/network/ip.ts'
import { bgpctl, reload } from '../openbgpd/control.ts'
import { endPending, listPending, newPendingName, startWatchdog } from '../openbgpd/pending.ts'
import { installedVersion, prepareOpenbgpdDirectory } from '../openbgpd/prepare.ts'
import { filesOf, renderEdge } from '../openbgpd/render.ts'
import { ConfigSlots, otherSlot } from '../slots.ts'
import type { EdgeDesiredState } from '../index.ts'
import {
  customerOf,
  eventually,
  PRODUCTS,
  startScenario,
  stateOf,
  untilEstablished,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'
import { PUSHES, survivePushes, WITHIN_MS } from './survive-pushes.ts'

const execFile = promisify(execFileCallback)
const { skipped, notHere } = PRODUCTS[1]
const PREFIX = '45.30.10.0/24'
const DYING = fileURLToPath(new URL('./openbgpd-apply-and-die.ts', import.meta.url))

/** BIRD does this with `configure timeout`, OpenBGPD with a separate process. */
describe.skipIf(skipped)(`a change of an OpenBGPD that goes wrong${notHere}`, () => {
  let scenario: Scenario
  let customer: Speaker
  let good: EdgeDesiredState
  let other: EdgeDesiredState
  let directory: string
  const generation = async () => (await scenario.edge.running()).generation
  const isGood = async () => expect(await generation()).toBe(scenario.edge.generationOf(good))
  const since = async () => (await customer.ask('show protocols transit4')).join('\n')

  beforeAll(async () => {
    scenario = await startScenario('openbgpd')
    directory = scenario.network.edge.directory
    customer = await scenario.speaker({ host: 10, asn: 500_010 })
    await customer.announce([{ prefix: PREFIX }])
    const accept = [{ prefix: PREFIX, origin: 500_010 }]
    const another = [...accept, { prefix: '45.30.11.0/24', origin: 500_010 }]
    good = stateOf(customerOf(customer, { id: 10, asn: 500_010, accept }))
    other = stateOf(customerOf(customer, { id: 10, asn: 500_010, accept: another }))
  })
  afterAll(() => scenario?.stop())
  beforeEach(async () => {
    await scenario.edge.apply(good)
    await untilEstablished(scenario.edge, 2)
    await eventually(async () => expect((await scenario.atUpstream()).has(PREFIX)).toBe(true))
  })

  test('what bgpd refuses is told with its file and line, and what ran keeps running, on disk too', async () => {
    const conf = join(directory, 'local', 'local.conf')
    await writeFile(conf, 'nonsense\n')
    try {
      await expect(scenario.edge.apply(other)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/local\.conf:1: syntax error/) as string,
      })
    } finally {
      await writeFile(conf, '')
    }
    await isGood()
    await scenario.reloadEdge()
    await isGood()
    expect(await listPending(directory)).toEqual([])
  })

  test('a bgpd.conf that does not include the customers is refused by name', async () => {
    await withoutCustomers(() =>
      expect(scenario.edge.apply(other)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('live/customers.conf') as string,
      }),
    )
    await isGood()
  })

  test('a writer that dies between load and confirm leaves an edge that its watchdog takes back, and no session falls', async () => {
    const before = await since()
    await dieWhilePending(other, 2)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
    await eventually(isGood, 6_000)
    expect(await since()).toBe(before)
    expect(await listPending(directory)).toEqual([])
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
    await sleep(2_500)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
  })

  test('what a dead writer left unconfirmed is kept when it is what we want, and its watchdog does nothing', async () => {
    await dieWhilePending(other, 3)
    expect(await scenario.reopen().apply(other)).toMatchObject({ changed: false })
    await sleep(3_500)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
  })

  test('what a dead writer left unconfirmed goes back before a change that a full disk ends', async () => {
    await dieWhilePending(other, 30)
    const idle = join(directory, await readlink(join(directory, 'live')))
    const third = stateOf(customerOf(customer, { id: 10, asn: 500_010, exports: 'full' }))
    await withFullDisk(idle, () =>
      expect(scenario.edge.apply(third)).rejects.toMatchObject({
        kind: 'internal',
        message: expect.stringContaining('the disk is full (ENOSPC)') as string,
      }),
    )
    await isGood()
    expect(await listPending(directory)).toEqual([])
  })

  test('the watchdog of an earlier change does not end a later one', async () => {
    const late = newPendingName()
    await writeFile(join(directory, newPendingName()), 'another')
    using _early = await startWatchdog({
      seconds: 1,
      directory,
      pending: late,
      before: otherSlot((await readlink(join(directory, 'live'))) as 'a' | 'b'),
      socket: scenario.network.edge.socket,
    })
    const live = await readlink(join(directory, 'live'))
    await sleep(1_500)
    expect(await readlink(join(directory, 'live'))).toBe(live)
    await isGood()
    for (const pending of await listPending(directory)) await endPending(directory, pending, 'undone')
  })

  test(
    'pushes that are killed anywhere or refused leave one state whole, and the route of the customer at all times',
    async () => {
      const local = join(directory, 'local', 'local.conf')
      const before = await since()
      await survivePushes(scenario, {
        rounds: PUSHES,
        states: [good, other],
        prefix: PREFIX,
        portal: {
          program: DYING,
          options: {
            ...scenario.network.edge,
            config: join(directory, 'bgpd.conf'),
            localAsn: LAB.operatorAsn,
            confirmWithinSeconds: 3,
          },
          killedAfterMs: [30, 530],
        },
        refused: [
          async (push) => {
            await writeFile(local, 'nonsense\n')
            await push()
            await writeFile(local, '')
          },
          async (push) => {
            const idle = join(directory, otherSlot((await new ConfigSlots(directory).live())!))
            await withFullDisk(idle, push)
          },
          (push) => withoutCustomers(push),
        ],
        settledMs: 3_500,
      })
      expect(await since()).toBe(before)
      expect(await listPending(directory)).toEqual([])
    },
    WITHIN_MS,
  )

  test('an edge that starts again after portal and watchdog died runs the last state that was confirmed', async () => {
    using _watchdog = await dieWhilePending(other, 30)
    await end()
    await prepareOpenbgpdDirectory(directory, good)
    await startAgain()
    await eventually(isGood)
  })

  test('an edge that is away is unreachable, and takes the change when it is back', async () => {
    await end()
    await expect(scenario.edge.apply(other)).rejects.toMatchObject({ kind: 'unreachable' })
    await startAgain()
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
  })

  test('an edge that is frozen is a timeout within two seconds', async () => {
    const pids = (await ip('netns', 'pids', scenario.network.names.edgeNamespace))
      .split('\n')
      .filter(Boolean)
      .map(Number)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      const began = performance.now()
      await expect(scenario.edge.sessions()).rejects.toMatchObject({ kind: 'timeout' })
      expect(performance.now() - began).toBeLessThan(3_500)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await eventually(() => scenario.edge.sessions())
  })

  async function withFullDisk(slot: string, push: () => Promise<unknown>): Promise<void> {
    await execFile('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'full-disk-of-a-test', slot])
    try {
      await push()
    } finally {
      await execFile('umount', ['-l', slot])
    }
  }

  /** bgpd.conf does not include the file of our customers. */
  async function withoutCustomers(push: () => Promise<unknown>): Promise<void> {
    const conf = join(directory, 'bgpd.conf')
    const before = await readFile(conf, 'utf8')
    await writeFile(conf, before.replace(/^include .*customers.*$/m, ''))
    try {
      await push()
    } finally {
      await writeFile(conf, before)
    }
  }

  async function end(): Promise<void> {
    const pids = (await ip('netns', 'pids', scenario.network.names.edgeNamespace)).split('\n').filter(Boolean)
    for (const pid of pids)
      try {
        process.kill(Number(pid), 'SIGTERM')
      } catch (error) {
        // It ended with the previous one.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    await eventually(() => expect(scenario.edge.sessions()).rejects.toMatchObject({ kind: 'unreachable' }))
  }

  async function startAgain(): Promise<void> {
    const instance = /^lh-(.*)-edge$/.exec(scenario.network.names.edgeNamespace)![1]!
    await ensureNetwork({ instance, directory: scenario.directory, product: 'openbgpd' })
    await eventually(() => scenario.edge.sessions())
  }

  /** Performs the steps of an apply up to the load and then stops, as if SIGKILL had come at that moment. */
  async function dieWhilePending(state: EdgeDesiredState, seconds: number): Promise<Disposable> {
    const slots = new ConfigSlots(directory)
    const before = (await slots.live())!
    const next = otherSlot(before)
    const rendered = renderEdge(state)
    await slots.write(next, filesOf(rendered, { directory, slot: next, version: await installedVersion() }))
    const pending = newPendingName()
    await writeFile(join(directory, pending), rendered.generation)
    const { socket } = scenario.network.edge
    const watchdog = await startWatchdog({ seconds, directory, pending, before, socket })
    await slots.activate(next)
    await reload(bgpctl(socket), 5_000)
    await eventually(async () => expect(await generation()).toBe(rendered.generation))
    return watchdog
  }
})
