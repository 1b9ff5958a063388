import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createChangeBus } from './events.ts'
import { createLog } from './log.ts'
import { createReconcilerStats, runReconciler, type Reconciler } from './reconcile.ts'

const log = createLog('silent')
let controller = new AbortController()
afterEach(() => controller.abort())

function run(part: Partial<Reconciler> & Pick<Reconciler, 'reconcile'>) {
  controller = new AbortController()
  const bus = createChangeBus(log)
  const reconciler: Reconciler = {
    name: 'test',
    due: () => Promise.resolve([]),
    wakes: (changeEvent) => changeEvent.id,
    everyMs: 60_000,
    concurrency: 2,
    ...part,
  }
  const reconcilerStats = createReconcilerStats()
  const ended = runReconciler(reconciler, { bus, log, signal: controller.signal, reconcilerStats })
  return { bus, ended, stop: () => controller.abort(), lag: () => reconcilerStats.read()[0]!.lagSeconds }
}

const wake = (bus: ReturnType<typeof createChangeBus>, id: number) =>
  bus.receive(JSON.stringify({ type: 'thing', id, accountId: null }))

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !condition(); i++) await sleep(5)
  expect(condition()).toBe(true)
}

describe('the lag of a reconciler', () => {
  test('grows while a row fails, through its pauses, and ends when it succeeds', async () => {
    let failures = 0
    const { bus, lag } = run({
      reconcile: () => (++failures < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
    })
    wake(bus, 1)
    await until(() => failures === 2)
    // The first pause alone takes 250 ms.
    expect(lag()).toBeGreaterThan(0.2)
    await until(() => failures === 3)
    expect(lag()).toBe(0)
  })

  test('grows while a row is being worked on', async () => {
    const { bus, lag } = run({ reconcile: () => sleep(500) })
    wake(bus, 1)
    await until(() => lag() > 0.1)
  })

  test('grows while the due rows cannot be read', async () => {
    const { lag } = run({ due: () => Promise.reject(new Error('no')), reconcile: () => Promise.resolve() })
    await until(() => lag() > 0.1)
  })

  test('is none while a row waits for its next time', async () => {
    let runs = 0
    const { bus, lag } = run({
      reconcile: () => {
        runs++
        return Promise.resolve({ againInMs: 60_000 })
      },
    })
    wake(bus, 1)
    await until(() => runs === 1)
    await sleep(50)
    expect(lag()).toBe(0)
  })
})

describe('a reconciler', () => {
  test('works off what is due when it starts', async () => {
    const done: number[] = []
    run({
      due: () => Promise.resolve([1, 2, 3]),
      reconcile: (id) => {
        done.push(id)
        return Promise.resolve()
      },
    })
    await until(() => done.length === 3)
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3])
  })

  test('never works on one row twice at a time, and looks again when news came meanwhile', async () => {
    let atOnce = 0
    let most = 0
    let runs = 0
    const { bus } = run({
      reconcile: async () => {
        most = Math.max(most, ++atOnce)
        runs++
        await sleep(20)
        atOnce--
      },
    })
    for (let i = 0; i < 10; i++) wake(bus, 7)
    await until(() => runs === 2 && atOnce === 0)
    await sleep(40)
    expect({ most, runs }).toEqual({ most: 1, runs: 2 })
  })

  test('asks only about the rows of events that perhaps make them due, in one call for a burst', async () => {
    const asked: (readonly number[] | undefined)[] = []
    const done: number[] = []
    const { bus } = run({
      wakes: ({ id }) => ({ perhaps: id! }),
      due: async (among) => {
        asked.push(among)
        await sleep(20)
        return among?.filter((id) => id !== 8) ?? []
      },
      reconcile: (id) => {
        done.push(id)
        return Promise.resolve()
      },
    })
    for (const id of [7, 8, 9, 7]) wake(bus, id)
    await until(() => done.length === 2)
    expect({ asked, done }).toEqual({ asked: [undefined, [7, 8, 9]], done: [7, 9] })
  })

  test('asks about all rows when an event of all comes with those of single ones', async () => {
    const asked: (readonly number[] | undefined)[] = []
    const { bus } = run({
      wakes: ({ id }) => (id === 0 ? 'all' : { perhaps: id! }),
      due: async (among) => {
        asked.push(among)
        await sleep(20)
        return []
      },
      reconcile: () => Promise.resolve(),
    })
    for (const id of [7, 0, 8]) wake(bus, id)
    await until(() => asked.length === 2)
    await sleep(40)
    expect(asked).toEqual([undefined, undefined])
  })

  test('keeps within its concurrency', async () => {
    let atOnce = 0
    let most = 0
    let runs = 0
    run({
      due: () => Promise.resolve([1, 2, 3, 4, 5, 6]),
      reconcile: async () => {
        most = Math.max(most, ++atOnce)
        await sleep(10)
        atOnce--
        runs++
      },
    })
    await until(() => runs === 6)
    expect(most).toBe(2)
  })

  test('tries again after a failure, and a success resets the pause', async () => {
    let runs = 0
    const { bus } = run({
      reconcile: () => {
        if (++runs < 3) throw new Error('not yet')
        return Promise.resolve()
      },
    })
    wake(bus, 1)
    await until(() => runs === 3)
  })

  test('comes back when it asks to', async () => {
    let runs = 0
    const { bus } = run({ reconcile: () => Promise.resolve(++runs < 3 ? { againInMs: 5 } : undefined) })
    wake(bus, 1)
    await until(() => runs === 3)
  })

  test('a sweep does not hurry a row that waits out its pause, news does', async () => {
    let runs = 0
    let sweeps = 0
    const { bus } = run({
      due: () => Promise.resolve(++sweeps ? [1] : []),
      everyMs: 10,
      reconcile: () => {
        runs++
        throw new Error('away')
      },
    })
    await until(() => sweeps >= 12)
    // Each pause is twice the one before, so a busy machine that reaches this many sweeps late has run few of them.
    expect(runs).toBeLessThan(8)
    // After so many failures the pauses would be minutes long.
    for (const more = runs + 12; runs < more; await sleep(5)) wake(bus, 1)
  })

  test('ends only when what is under way has ended', async () => {
    let begun = false
    let finished = false
    const {
      bus,
      ended,
      stop: abort,
    } = run({
      reconcile: async () => {
        begun = true
        await sleep(40)
        finished = true
      },
    })
    wake(bus, 1)
    await until(() => begun)
    abort()
    await ended
    expect(finished).toBe(true)
  })

  test('asks again what is due after a gap in the news', async () => {
    let asked = 0
    const { bus } = run({
      due: () => {
        asked++
        return Promise.resolve([])
      },
      reconcile: () => Promise.resolve(),
    })
    await until(() => asked === 1)
    bus.resync()
    await until(() => asked === 2)
  })
})
