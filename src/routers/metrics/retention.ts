/** Deletes old measurements. */
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import '../tables.ts'

export const SAMPLES_RETENTION_MS = 2 * 3_600_000
/** A year, plus the time in which its last invoice can be disputed. */
export const SLOTS_RETENTION_MS = 400 * 86_400_000

/** Also drops console tickets that nobody used. */
export function routerRetention({ db, clock }: Pick<RoutersDeps, 'db' | 'clock'>): Reconciler {
  const before = (retentionMs: number) => new Date(clock.now().getTime() - retentionMs)
  return {
    name: 'router-retention',
    everyMs: 10 * 60_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    async reconcile() {
      await db.deleteFrom('router_samples').where('at', '<', before(SAMPLES_RETENTION_MS)).execute()
      await db.deleteFrom('router_slots').where('slot', '<', before(SLOTS_RETENTION_MS)).execute()
      await db.deleteFrom('hypervisor_slots').where('slot', '<', before(SLOTS_RETENTION_MS)).execute()
      await db.deleteFrom('console_tickets').where('expires_at', '<', clock.now()).execute()
    },
  }
}
