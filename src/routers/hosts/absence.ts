/** Says of a hypervisor whose process is gone that nobody knows how its routers are. Run by whoever leads the workers. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { noteLost } from '../hypervisor-watch.ts'
import { isAlive } from '../../platform/driving/claims.ts'

export function hypervisorAbsence({ db }: { db: Db }): Reconciler {
  return {
    name: 'hypervisor-absence',
    everyMs: 5_000,
    concurrency: 1,
    wakes: () => null,
    due: async () => (await listAbandoned(db)).map(({ id }) => id),
    async reconcile(id) {
      const [host] = await listAbandoned(db, id)
      if (!host) return
      const last = host.process ? `last seen was ${host.process} at ${host.seen}.` : 'none has connected yet.'
      await noteLost(db, id, `No agent is running: ${last} Start one with ROLE=host HYPERVISOR=${host.slug}`)
    },
  }
}

/** Those that count as connected though no process lives that could know. */
const listAbandoned = (db: Db, id?: number) =>
  db
    .selectFrom('hypervisors')
    .leftJoin('hypervisor_drivers', 'hypervisor_drivers.slug', 'hypervisors.slug')
    .select(['hypervisors.id', 'hypervisors.slug', 'process'])
    .select(sql<string>`to_char(seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`.as('seen'))
    .where('connected', '=', true)
    .where(isAlive, '=', false)
    .$if(id !== undefined, (query) => query.where('hypervisors.id', '=', id!))
    .execute()
