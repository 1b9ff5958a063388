/**
 * Follows the counters of one hypervisor's machines. A reading is drawn at once, but billed data is saved about once a
 * minute, because updated rows cost more than inserted ones. In between it is only in memory. A meter that dies loses
 * nothing: the next one continues from the saved counters.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { MachineStats } from '../../drivers/hypervisor/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { intervalBetween, LONGEST_GAP_MS, shareAmongSlots, wasAhead, type Reading, type SlotShare } from './counters.ts'
import { moveCounters, readCounters, writeSamples, writeSlots, type Sample } from './write-measured.ts'

/** Five and a half readings, so that the sixth never misses it by a moment. */
const SAVE_EVERY_MS = 55_000
/** Over a longer gap the time of the traffic is unknown: it counts in its slots, but makes no point in a graph. */
const LONGEST_SAMPLE_MS = 60_000

interface Followed {
  readonly routerId: number
  readonly accountId: AccountId
  /** The last reading, if there was one. */
  last: Reading | null
  /** When the saved counters were read. A meter that finds other counters there drops its pending shares. */
  kept: Date | null
  /** The measurements since then, by slot. */
  pending: Map<number, SlotShare>
  memory: number | null
}

export interface Meter {
  /**
   * Takes one reading of all machines, and ignores those that belong to another hypervisor. Throws when the database is
   * unavailable; nothing is lost then.
   */
  take(db: Db, stats: readonly MachineStats[]): Promise<void>
}

export function createMeter(hypervisorId: number, { saveEveryMs = SAVE_EVERY_MS } = {}): Meter {
  const followed = new Map<string, Followed>()
  return {
    async take(db, stats) {
      const readings = new Map(stats.flatMap(readingOf))
      const strangers = [...readings.keys()].filter((uuid) => !followed.has(uuid))
      for (const { uuid, ...known } of await readCounters(db, hypervisorId, strangers)) {
        followed.set(uuid, { ...known, kept: known.last?.at ?? null, pending: new Map(), memory: null })
      }
      const freshReadings = [...readings].flatMap(([uuid, read]) => {
        const router = followed.get(uuid)
        return router ? [{ router, ...read }] : []
      })
      await writeSamples(db, freshReadings.flatMap(sampleOf))
      for (const one of freshReadings) follow(one)

      const gone = [...followed].filter(([uuid]) => !readings.has(uuid))
      const due = [...followed].filter(
        ([uuid, { last, kept }]) =>
          last && (!kept || !readings.has(uuid) || Math.abs(last.at.getTime() - kept.getTime()) >= saveEveryMs),
      )
      const kept = await keep(
        db,
        hypervisorId,
        due.map(([, router]) => router),
      )
      for (const [uuid, router] of due) if (!kept.has(router.routerId)) followed.delete(uuid)
      for (const [uuid] of gone) followed.delete(uuid)
    },
  }
}

interface Read {
  readonly reading: Reading
  readonly memory: number | null
}

interface FreshReading extends Read {
  readonly router: Followed
}

/** Returns the reading by machine; none for a machine that reports less than is metered. */
function readingOf({ uuid, at, cpuTimeNs: cpuNs, rxBytes, txBytes, memoryUsed }: MachineStats): [string, Read][] {
  if (cpuNs === null || rxBytes === null || txBytes === null) return []
  return [[uuid, { reading: { at, cpuNs, rxBytes, txBytes }, memory: memoryUsed }]]
}

function sampleOf({ router: { routerId, last }, reading, memory }: FreshReading): Sample[] {
  const interval = last && intervalBetween(last, reading)
  if (!interval || interval.to.getTime() - interval.from.getTime() > LONGEST_SAMPLE_MS) return []
  return [{ routerId, memory, interval }]
}

function follow({ router, reading, memory }: FreshReading): void {
  const { last, pending } = router
  if (last && reading.at <= last.at && !wasAhead(last, reading)) return
  router.last = reading
  router.memory = memory
  const interval = last && intervalBetween(last, reading)
  if (!interval || interval.to.getTime() - interval.from.getTime() > LONGEST_GAP_MS) return
  for (const share of shareAmongSlots(interval)) {
    const before = pending.get(share.slot.getTime())
    pending.set(share.slot.getTime(), before ? add(before, share) : share)
  }
}

const add = (a: SlotShare, b: SlotShare): SlotShare => ({
  slot: a.slot,
  seconds: a.seconds + b.seconds,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  rxBytes: a.rxBytes + b.rxBytes,
  txBytes: a.txBytes + b.txBytes,
})

/**
 * Moves the counters and writes their measurements in one transaction, and only from where this meter saw them.
 * Whatever happened in between, nothing counts twice. Returns the routers whose counters moved.
 */
async function keep(db: Db, hypervisorId: number, routers: readonly Followed[]): Promise<ReadonlySet<number>> {
  if (routers.length === 0) return new Set()
  const moved = await inTransaction(db, async (transaction) => {
    const ids = await moveCounters(
      transaction,
      hypervisorId,
      routers.map(({ routerId, kept, last }) => ({ routerId, from: kept, to: last! })),
    )
    const shares = routers
      .filter(({ routerId }) => ids.has(routerId))
      .flatMap(({ routerId, accountId, memory, pending }) =>
        [...pending.values()].map((share) => ({ routerId, accountId, memory, ...share })),
      )
    await writeSlots(transaction, hypervisorId, shares)
    return ids
  })
  for (const router of routers) {
    router.kept = router.last!.at
    router.pending = new Map()
  }
  return moved
}
