/** Reads the counters of every machine of a hypervisor in one call and writes what happened since the last time. */
import { sql } from 'kysely'
import type { MachineStats } from '../../drivers/hypervisor/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { driven, driverOf } from '../hypervisor-watch.ts'
import '../tables.ts'
import { intervalBetween, shareAmongSlots, type Interval, type Reading } from './counters.ts'

const EVERY_MS = 10_000
/** Beyond this nobody knows when between two readings it happened: it counts in its slots, and makes no point in a graph. */
const LONGEST_SAMPLE_MS = 60_000
/** Longer than any outage that is mended: spread over more, traffic would be invented rather than measured. */
const LONGEST_GAP_MS = 6 * 3_600_000

type SamplerDeps = Pick<RoutersDeps, 'db' | 'hypervisors'>

export function metricsSampler({ db, hypervisors }: SamplerDeps): Reconciler {
  return {
    name: 'router-metrics',
    everyMs: EVERY_MS,
    concurrency: 4,
    wakes: () => null,
    due: () => driven(db, hypervisors),
    async reconcile(id) {
      const hypervisor = await driverOf(db, hypervisors, id)
      if (hypervisor) await writeStats(db, await hypervisor.stats())
    },
  }
}

interface Measured {
  readonly routerId: number
  readonly userId: number
  readonly memory: number | null
  readonly interval: Interval
}

/** One transaction for all: counters move with what was made of them, so nothing counts twice and nothing is lost. */
export async function writeStats(db: Db, stats: readonly MachineStats[]): Promise<void> {
  const usable = stats.filter((one) => one.cpuTimeNs !== null && one.rxBytes !== null && one.txBytes !== null)
  if (usable.length === 0) return
  await inTransaction(db, async (transaction) => {
    const routers = await transaction
      .selectFrom('routers')
      .leftJoin('router_counters', 'router_counters.router_id', 'routers.id')
      .select(['routers.id', 'routers.user_id', 'routers.uuid'])
      .select(['router_counters.at', 'router_counters.cpu_ns', 'router_counters.rx_bytes', 'router_counters.tx_bytes'])
      .where(
        'routers.uuid',
        'in',
        usable.map((one) => one.uuid),
      )
      .orderBy('routers.id')
      .forKeyShare('routers')
      .execute()
    const byUuid = new Map(usable.map((one) => [one.uuid, one]))
    const measured: Measured[] = []
    for (const router of routers) {
      const now = byUuid.get(router.uuid)!
      const reading = readingOf(now)
      const before = router.at && {
        at: router.at,
        cpuNs: BigInt(router.cpu_ns!),
        rxBytes: BigInt(router.rx_bytes!),
        txBytes: BigInt(router.tx_bytes!),
      }
      const interval = before ? intervalBetween(before, reading) : null
      if (before && !interval) continue
      await keepCounters(transaction, router.id, reading)
      if (interval && interval.to.getTime() - interval.from.getTime() <= LONGEST_GAP_MS) {
        measured.push({ routerId: router.id, userId: router.user_id, memory: now.memoryUsed, interval })
      }
    }
    await writeSamples(transaction, measured)
    await writeSlots(transaction, measured)
  })
}

const readingOf = (stats: MachineStats): Reading => ({
  at: stats.at,
  cpuNs: stats.cpuTimeNs!,
  rxBytes: stats.rxBytes!,
  txBytes: stats.txBytes!,
})

async function keepCounters(db: Db, routerId: number, reading: Reading): Promise<void> {
  const values = {
    at: reading.at,
    cpu_ns: reading.cpuNs.toString(),
    rx_bytes: reading.rxBytes.toString(),
    tx_bytes: reading.txBytes.toString(),
  }
  await db
    .insertInto('router_counters')
    .values({ router_id: routerId, ...values })
    .onConflict((conflict) => conflict.column('router_id').doUpdateSet(values))
    .execute()
}

async function writeSamples(db: Db, measured: readonly Measured[]): Promise<void> {
  const samples = measured
    .filter(({ interval }) => interval.to.getTime() - interval.from.getTime() <= LONGEST_SAMPLE_MS)
    .map(({ routerId, memory, interval }) => ({
      router_id: routerId,
      at: interval.to,
      seconds: (interval.to.getTime() - interval.from.getTime()) / 1000,
      cpu_seconds: interval.cpuSeconds,
      memory,
      rx_bytes: interval.rxBytes,
      tx_bytes: interval.txBytes,
    }))
  if (samples.length === 0) return
  await db
    .insertInto('router_samples')
    .values(samples)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function writeSlots(db: Db, measured: readonly Measured[]): Promise<void> {
  const shares = measured.flatMap(({ routerId, userId, memory, interval }) =>
    shareAmongSlots(interval).map((share) => ({
      router_id: routerId,
      user_id: userId,
      slot: share.slot,
      seconds: share.seconds,
      cpu_seconds: share.cpuSeconds,
      memory,
      rx_bytes: share.rxBytes,
      tx_bytes: share.txBytes,
    })),
  )
  if (shares.length === 0) return
  await db
    .insertInto('router_slots')
    .values(shares)
    .onConflict((conflict) =>
      conflict.columns(['router_id', 'slot']).doUpdateSet({
        seconds: sql`router_slots.seconds + excluded.seconds`,
        cpu_seconds: sql`router_slots.cpu_seconds + excluded.cpu_seconds`,
        memory: sql`coalesce(excluded.memory, router_slots.memory)`,
        rx_bytes: sql`router_slots.rx_bytes + excluded.rx_bytes`,
        tx_bytes: sql`router_slots.tx_bytes + excluded.tx_bytes`,
      }),
    )
    .execute()
}
