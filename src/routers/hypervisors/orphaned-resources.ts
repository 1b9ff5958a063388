/**
 * Finds machines of ours without a router, and disks, files and filters without a machine. A crash between two systems,
 * or a restored backup, leaves them behind.
 */
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { leased, driverOf } from './hypervisor-watch.ts'

/**
 * A row is written before its machine, so a true orphan stays one. The wait is for operators who restore a database.
 */
const GRACE_MS = 10 * 60_000

type OrphanedResourcesDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors'>

export function orphanedResourcesReconciler({ db, clock, log, hypervisors }: OrphanedResourcesDeps): Reconciler {
  /** Since when each is known to be orphaned, by host and machine. */
  const since = new Map<number, Map<string, number>>()
  return {
    name: 'orphans',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    due: () => leased(db, hypervisors),
    async reconcile(id, signal) {
      const hypervisor = await driverOf(db, hypervisors, id)
      if (!hypervisor) return
      const machines = [
        ...(await hypervisor.list()).map((machine) => machine.uuid),
        ...(await hypervisor.orphanedResources()),
      ]
      // Checked against the whole database: a machine whose router is recorded on another host is unexplained, not
      // orphaned.
      const { known, elsewhere } = await knownAmong(id, machines)
      const orphaned = machines.filter((uuid) => !known.has(uuid))
      const here = since.get(id) ?? new Map<string, number>()
      since.set(id, here)
      for (const uuid of here.keys()) if (known.has(uuid)) here.delete(uuid)
      // A deleted disk cannot be recovered; a disk left behind costs only space. So when the database knows none of
      // many, it is more likely the wrong database than that all of them are orphans.
      if (known.size + elsewhere === 0 && orphaned.length > 1) {
        log.error({ hypervisor: id, machines: orphaned }, 'no machine is known here: is this the right database?')
        return
      }
      const now = clock.now().getTime()
      for (const uuid of orphaned) {
        if (!here.has(uuid)) here.set(uuid, now)
        if (now - here.get(uuid)! < GRACE_MS || signal.aborted) continue
        if ((await knownAmong(id, [uuid])).known.has(uuid)) continue
        log.warn({ hypervisor: id, uuid }, 'removing a machine, or parts of one, that belongs to no router')
        await hypervisor.remove(uuid)
        here.delete(uuid)
      }
    },
  }

  /** `elsewhere`: how many were made on another host in the end, so what is left of them here belongs to no router. */
  async function knownAmong(host: number, uuids: readonly string[]) {
    if (uuids.length === 0) return { known: new Set<string>(), elsewhere: 0 }
    const rows = await db
      .selectFrom('routers')
      .leftJoin('router_moves', (join) =>
        join
          .onRef('router_moves.router_id', '=', 'routers.id')
          .on('router_moves.hypervisor_id', '=', host)
          .on('routers.hypervisor_id', '!=', host),
      )
      .select(['uuid', 'router_moves.router_id as moved'])
      .where('uuid', 'in', uuids)
      .execute()
    const known = rows.filter(({ moved }) => moved === null).map(({ uuid }) => uuid)
    return { known: new Set(known), elsewhere: rows.length - known.length }
  }
}
