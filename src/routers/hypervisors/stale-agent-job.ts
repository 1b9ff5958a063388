/** Marks the routers of a hypervisor whose process is gone as unknown. The leader of the workers runs it. */
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { markDisconnected } from './hypervisor-watch.ts'
import { isGone, lastDriver, leaseKeyOf } from '../../platform/leases/agent-lease.ts'

export function staleHypervisorAgentReconciler({ db }: { db: Db }): Reconciler {
  return {
    name: 'hypervisor-absence',
    everyMs: 5_000,
    concurrency: 1,
    wakes: () => null,
    due: async () => (await listAbandoned(db)).map(({ id }) => id),
    async reconcile(id) {
      const [host] = await listAbandoned(db, id)
      if (!host) return
      await markDisconnected(db, id, explainAbsence(host.slug, host.process, host.renewed_at))
    },
  }
}

export const explainAbsence = (slug: string, process: string | null, seen: Date | null): string =>
  `No agent is running: ${lastDriver(process, seen)} Start longhaul-agent on ${slug}.`

/** Lists hypervisors that count as connected although no live process could know. */
const listAbandoned = (db: Db, id?: number) =>
  db
    .selectFrom('hypervisors')
    .leftJoin('leases as lease', (join) =>
      join.on('lease.key', '=', leaseKeyOf('hypervisor_agents', 'hypervisors.slug')),
    )
    .select(['hypervisors.id', 'hypervisors.slug', 'process'])
    .select('renewed_at')
    .where('connected', '=', true)
    .where(isGone, '=', true)
    .$if(id !== undefined, (query) => query.where('hypervisors.id', '=', id!))
    .execute()
