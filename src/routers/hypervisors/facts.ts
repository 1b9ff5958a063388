/** Keeps the facts that hosts report up to date, and their history. */
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { addReading } from '../metrics/hypervisor-series.ts'
import { leased, driverOf, markConnected } from './hypervisor-watch.ts'
import type { Watched } from './watch-start-times.ts'
import { readHypervisorDetails } from './read-facts.ts'

type HypervisorInfoDeps = Pick<RoutersDeps, 'db' | 'clock' | 'hypervisors'> & { readonly watched: Watched }

export function hypervisorInfoReconciler({ db, clock, hypervisors, watched }: HypervisorInfoDeps): Reconciler {
  return {
    name: 'hypervisor-facts',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    due: () => leased(db, hypervisors),
    async reconcile(id) {
      const hypervisor = await driverOf(db, hypervisors, id)
      // The watch reports one that is unreachable.
      if (!hypervisor || !watched.has(id)) return
      const host = await db.selectFrom('hypervisors').select('connected').where('id', '=', id).executeTakeFirst()
      // Its heartbeats were late, and the leader considered it gone.
      if (!host?.connected) return markConnected(db, id, hypervisor, clock.now())
      const details = await readHypervisorDetails(hypervisor)
      const now = clock.now()
      await db
        .updateTable('hypervisors')
        .set({ ...details, answered_at: now })
        .where('id', '=', id)
        .execute()
      await addReading(db, id, now, { cpu: details.cpu_usage, memory: details.memory_usage })
    },
  }
}
