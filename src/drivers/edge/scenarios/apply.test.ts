import { execFile as execFileCallback } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import { ip } from '../../../../lab/network/ip.ts'
import { BirdControl } from '../bird/control.ts'
import { prepareBirdDirectory } from '../bird/prepare.ts'
import { renderEdge } from '../bird/render.ts'
import { ConfigSlots, otherSlot } from '../slots.ts'
import { configureTimeout } from '../bird/transaction.ts'
import type { EdgeDesiredState } from '../index.ts'
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
import { PUSHES, survivePushes, WITHIN_MS } from './survive-pushes.ts'

const execFile = promisify(execFileCallback)
const PREFIX = '45.30.10.0/24'
const DYING = fileURLToPath(new URL('./apply-and-die.ts', import.meta.url))

describe.skipIf(skipReason)(`a change of the edge that goes wrong${because}`, () => {
  let scenario: Scenario
  let customer: Speaker
  let good: EdgeDesiredState
  let other: EdgeDesiredState
  const generation = async () => (await scenario.edge.running()).generation
  const expectGoodRoute = async () => expect((await scenario.atUpstream()).has(PREFIX)).toBe(true)

  beforeAll(async () => {
    scenario = await startScenario()
    customer = await scenario.speaker({ host: 10, asn: 500_010 })
    await customer.announce([{ prefix: PREFIX }])
    const accept = [{ prefix: PREFIX, origin: 500_010 }]
    good = stateOf(customerOf(customer, { id: 10, asn: 500_010, accept }))
    other = stateOf(
      customerOf(customer, { id: 10, asn: 500_010, accept: [...accept, { prefix: '45.30.11.0/24', origin: 500_010 }] }),
    )
  })
  afterAll(() => scenario?.stop())
  beforeEach(async () => {
    await scenario.edge.apply(good)
    await untilEstablished(scenario.edge, 2)
    await eventually(expectGoodRoute)
  })

  test('what BIRD refuses is told in its own words, and what ran keeps running, on disk too', async () => {
    const broken = join(scenario.network.edge.directory, 'local', 'broken.conf')
    await writeFile(broken, 'protocol nonsense { }\n')
    try {
      await expect(scenario.edge.apply(other)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/broken\.conf:1:\d+ syntax error/) as string,
      })
    } finally {
      await rm(broken)
    }
    expect(await generation()).toBe(scenario.edge.generationOf(good))
    expect(await scenario.askEdge('configure check')).toContain('Configuration OK')
    await scenario.askEdge('configure')
    expect(await generation()).toBe(scenario.edge.generationOf(good))
    await expectGoodRoute()
  })

  test('a state that no edge can express is refused before anything is touched', async () => {
    const injected = stateOf(customerOf(customer, { id: 10, asn: 500_010, password: 'x"; } protocol static { #' }))
    await expect(scenario.edge.apply(injected)).rejects.toMatchObject({ kind: 'refused' })
    expect(await generation()).toBe(scenario.edge.generationOf(good))
  })

  test('a bird.conf that does not include the customers is found out, and the change is put back', async () => {
    const conf = join(scenario.network.edge.directory, 'bird.conf')
    const before = await readFile(conf, 'utf8')
    await writeFile(conf, before.replace(/^include .*customers.*$/m, ''))
    try {
      await expect(scenario.edge.apply(other)).rejects.toMatchObject({
        kind: 'rolled-back',
        message: expect.stringContaining('live/customers/*.conf') as string,
      })
    } finally {
      await writeFile(conf, before)
    }
    expect(await generation()).toBe(scenario.edge.generationOf(good))
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
  })

  test('a writer that dies between load and confirm leaves an edge that goes back by itself', async () => {
    await dieWhilePending(other, 2)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
    await eventually(async () => expect(await generation()).toBe(scenario.edge.generationOf(good)), 5000)
    await expectGoodRoute()
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
    await sleep(2500)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
  })

  test('what a dead writer left on trial is confirmed when it is what we want', async () => {
    await dieWhilePending(other, 2)
    expect(await scenario.reopen().apply(other)).toMatchObject({ changed: false })
    await sleep(2500)
    expect(await generation()).toBe(scenario.edge.generationOf(other))
  })

  test('what a dead writer left on trial is not what a later failure goes back to', async () => {
    await dieWhilePending(other, 30)
    const third = stateOf(customerOf(customer, { id: 10, asn: 500_010, exports: 'full' }))
    const broken = join(scenario.network.edge.directory, 'local', 'broken.conf')
    await writeFile(broken, 'protocol nonsense { }\n')
    await expect(scenario.edge.apply(third)).rejects.toMatchObject({ kind: 'refused' })
    await rm(broken)
    expect(await generation()).toBe(scenario.edge.generationOf(good))
  })

  test(
    'pushes that are killed anywhere or refused leave one state whole, and the route of the customer at all times',
    async () => {
      const broken = join(scenario.network.edge.directory, 'local', 'broken.conf')
      await survivePushes(scenario, {
        rounds: PUSHES,
        states: [good, other],
        prefix: PREFIX,
        portal: {
          program: DYING,
          options: { ...scenario.network.edge, localAsn: LAB.operatorAsn, confirmWithinSeconds: 1 },
          killedAfterMs: [15, 75],
        },
        refused: [
          async (push) => {
            await writeFile(broken, 'protocol nonsense { }\n')
            await push()
            await rm(broken)
          },
          (push) => withFullDisk(push),
          async (push) => {
            await scenario.breakConf(true)
            await push()
            await scenario.breakConf(false)
          },
        ],
        settledMs: 1_200,
      })
    },
    WITHIN_MS,
  )

  test('two portals that write at once take turns', async () => {
    const results = await Promise.allSettled([good, other, good, other].map((state) => scenario.reopen().apply(state)))
    expect(results.map((result) => result.status)).toEqual(Array.from({ length: 4 }, () => 'fulfilled'))
  })

  test('an edge that starts again after such a death runs the last state that was confirmed', async () => {
    await dieWhilePending(other, 30)
    await scenario.askEdge('down')
    await eventually(() => expect(scenario.edge.sessions()).rejects.toMatchObject({ kind: 'unreachable' }))
    await prepareBirdDirectory(scenario.network.edge.directory, good)
    await startBird()
    expect(await generation()).toBe(scenario.edge.generationOf(good))
  })

  test('a full disk is told in words, and what ran keeps running', async () => {
    await withFullDisk(() =>
      expect(scenario.edge.apply(other)).rejects.toMatchObject({
        kind: 'internal',
        message: expect.stringContaining('the disk is full (ENOSPC)') as string,
      }),
    )
    expect(await generation()).toBe(scenario.edge.generationOf(good))
    await expectGoodRoute()
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
  })

  test('an edge that is frozen is unreachable within two seconds', async () => {
    const [pid] = (await ip('netns', 'pids', scenario.network.names.edgeNamespace)).split('\n').map(Number)
    process.kill(pid!, 'SIGSTOP')
    try {
      const began = performance.now()
      await expect(scenario.edge.sessions()).rejects.toMatchObject({ kind: 'timeout' })
      expect(performance.now() - began).toBeLessThan(3_000)
    } finally {
      process.kill(pid!, 'SIGCONT')
    }
    await eventually(() => scenario.edge.sessions())
  })

  test('an edge that is away is unreachable, and takes the change when it is back', async () => {
    await scenario.askEdge('down')
    await eventually(() => expect(scenario.edge.sessions()).rejects.toMatchObject({ kind: 'unreachable' }))
    await expect(scenario.edge.apply(other)).rejects.toMatchObject({ kind: 'unreachable' })
    await startBird()
    expect(await scenario.edge.apply(other)).toMatchObject({ changed: true })
    await eventually(expectGoodRoute)
  })

  /** Makes the disk full for the slot that the next change is written to. */
  async function withFullDisk(push: () => Promise<unknown>): Promise<void> {
    const slots = new ConfigSlots(scenario.network.edge.directory)
    const idle = join(scenario.network.edge.directory, otherSlot((await slots.live())!))
    await execFile('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'full-disk-of-a-test', idle])
    try {
      await push()
    } finally {
      await execFile('umount', ['-l', idle])
    }
  }

  async function startBird(): Promise<void> {
    const { names, edge } = scenario.network
    const conf = join(edge.directory, 'bird.conf')
    await ip('netns', 'exec', names.edgeNamespace, 'bird', '-c', conf, '-s', edge.socket)
  }

  /** Performs the steps of an apply up to the load and then stops, as if SIGKILL had come at that moment. */
  async function dieWhilePending(state: EdgeDesiredState, seconds: number): Promise<void> {
    const slots = new ConfigSlots(scenario.network.edge.directory)
    const next = otherSlot((await slots.live())!)
    await slots.write(next, renderEdge(state).files)
    await slots.activate(next)
    using control = await BirdControl.connect(scenario.network.edge.socket, { restricted: false })
    await configureTimeout(control, seconds)
  }
})
