/** Makes pushes fail one after another, while it keeps asking the upstream for a customer's route. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { BirdControl } from '../bird/control.ts'
import { EdgeError, type EdgeDesiredState } from '../index.ts'
import type { Scenario } from './scenario.ts'

/** `npm test` takes a sample, `npm run prove` a thousand. */
export const [PUSHES, WITHIN_MS] =
  process.env['PROVE'] === undefined ? ([6, 90_000] as const) : ([1_000, 2 * 3_600_000] as const)

const LOOK_EVERY_MS = 50
/** Every third push is one that the edge refuses; the others are killed. */
const REFUSED_EACH = 3

export interface Pushes {
  readonly rounds: number
  /** Both accept `prefix`. */
  readonly states: readonly [EdgeDesiredState, EdgeDesiredState]
  /** The only one that is announced to the upstream. */
  readonly prefix: string
  /** Applies the states alternately until it is killed some time later. */
  readonly portal: {
    readonly program: string
    readonly options: object
    readonly killedAfterMs: readonly [number, number]
  }
  /** Each makes a push fail, and cleans up after it. */
  readonly refused: readonly ((push: () => Promise<unknown>) => Promise<void>)[]
  /** A watchdog that a dead portal left would have acted by then. */
  readonly settledMs: number
}

/** After each push the edge runs one of the states in full, and accepts the next one. */
export async function survivePushes(scenario: Scenario, pushes: Pushes): Promise<void> {
  const { edge } = scenario
  const generation = async () => (await edge.running()).generation
  const whole = pushes.states.map((state) => edge.generationOf(state))
  const since = async () => (await edge.sessions()).map((session) => [session.state, session.since])
  const sessions = await since()
  const watch = await watchRoute(scenario, pushes.prefix)
  try {
    for (let round = 0; round < pushes.rounds; round++) {
      const wanted = pushes.states[round % 2]!
      if (round % REFUSED_EACH === REFUSED_EACH - 1) {
        const before = await generation()
        const other = pushes.states.find((state) => edge.generationOf(state) !== before)!
        const refuse = pushes.refused[Math.floor(round / REFUSED_EACH) % pushes.refused.length]!
        await refuse(() => expect(edge.apply(other)).rejects.toBeInstanceOf(EdgeError))
        expect(await generation()).toBe(before)
      } else await pushAndKill(pushes)
      expect(whole).toContain(await generation())
      await edge.apply(wanted)
      expect(await generation()).toBe(edge.generationOf(wanted))
      if (round === pushes.rounds - 1) await sleep(pushes.settledMs)
      expect(await generation()).toBe(edge.generationOf(wanted))
      watch.requireUnbroken()
    }
  } finally {
    await watch.stop()
  }
  watch.requireUnbroken()
  expect(await since()).toEqual(sessions)
}

async function pushAndKill({ portal: { program, options, killedAfterMs }, states }: Pushes): Promise<void> {
  const [least, most] = killedAfterMs
  const child = spawn(process.execPath, [program, JSON.stringify([options, states])])
  try {
    await once(child.stdout, 'data')
    await sleep(least + Math.random() * (most - least))
  } finally {
    child.kill('SIGKILL')
  }
  await once(child, 'close')
}

/**
 * Checks the route, and the withdrawals that the upstream counts: a withdrawal between two checks would otherwise be
 * missed.
 */
async function watchRoute(scenario: Scenario, prefix: string) {
  const family = prefix.includes(':') ? 6 : 4
  const withdrawals = async () =>
    Number(/Import withdraws:\s+(\d+)/.exec(await scenario.askUpstream(`show protocols all edge_v${family}`))?.[1])
  const control = await BirdControl.connect(scenario.network.upstream.socket, { restricted: true })
  const before = await withdrawals()
  expect(before).not.toBeNaN()
  let looks = 0
  const misses: string[] = []
  const end = new AbortController()
  const look = async (): Promise<void> => {
    const { lines } = await control.command(`show route ${prefix} protocol edge_v${family}`)
    looks++
    if (!lines.some(({ text }) => text.includes(prefix))) misses.push(new Date().toISOString())
  }
  await look()
  const looking = (async () => {
    while (!end.signal.aborted) {
      await look()
      await sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    requireUnbroken() {
      expect(misses).toEqual([])
    },
    async stop() {
      end.abort()
      await looking
      control[Symbol.dispose]()
      expect(looks).toBeGreaterThan(2)
      expect(await withdrawals()).toBe(before)
    },
  }
}
