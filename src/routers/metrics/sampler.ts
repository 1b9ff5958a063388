/** Reads the counters of every machine of a hypervisor in one call. */
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { leased, driverOf } from '../hypervisors/hypervisor-watch.ts'
import { createMeter, type Meter } from './meter.ts'

const EVERY_MS = 10_000

export function metricsSampler({ db, hypervisors }: Pick<RoutersDeps, 'db' | 'hypervisors'>): Reconciler {
  const meters = new Map<number, Meter>()
  return {
    name: 'router-metrics',
    everyMs: EVERY_MS,
    concurrency: 4,
    wakes: () => null,
    due: () => leased(db, hypervisors),
    async reconcile(id) {
      const hypervisor = await driverOf(db, hypervisors, id)
      if (!hypervisor) return
      const meter = meters.get(id) ?? createMeter(id)
      meters.set(id, meter)
      await meter.take(db, await hypervisor.stats())
    },
  }
}
