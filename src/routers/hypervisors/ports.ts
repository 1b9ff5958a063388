/** Restricts routers to their own addresses at their ports, and tells staff where that fails. */
import { HypervisorError } from '../../drivers/hypervisor/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { leased, driverOf } from './hypervisor-watch.ts'
import type { Watched } from './watch-start-times.ts'

type PortsDeps = Pick<RoutersDeps, 'db' | 'log' | 'hypervisors'> & { readonly watched: Watched }

export function portGuard({ db, log, hypervisors, watched }: PortsDeps): Reconciler {
  return {
    name: 'port-guard',
    everyMs: 10_000,
    concurrency: 1,
    wakes: () => null,
    due: () => leased(db, hypervisors),
    async reconcile(id) {
      const hypervisor = await driverOf(db, hypervisors, id)
      // Nothing can be read from an unreachable hypervisor.
      if (!hypervisor || !watched.has(id)) return
      const fault = await hypervisor.guardPorts().then(
        ({ repaired }) => {
          if (repaired)
            log.warn({ hypervisor: id }, 'the rules at the ports of routers were gone or changed; set again')
          return null
        },
        (error: unknown) => {
          if (error instanceof HypervisorError && error.kind === 'refused') return error.message.slice(0, 500)
          throw error
        },
      )
      const changed = await db
        .updateTable('hypervisors')
        .set({ port_rules_error: fault })
        .where('id', '=', id)
        .where('port_rules_error', 'is distinct from', fault)
        .executeTakeFirst()
      if (changed.numUpdatedRows > 0n) await publish(db, { type: 'hypervisor', id, accountId: null })
    },
  }
}
