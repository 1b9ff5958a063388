/** Listens to every hypervisor: a change is checked at once, not at the next routine check. */
import type { Hypervisor, HypervisorEvent } from '../../drivers/hypervisor/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { publishRouterChanged } from '../events.ts'
import { readHypervisorDetails } from './read-facts.ts'
import type { Watched } from './watch-start-times.ts'

type WatchDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors'> & { readonly watched: Watched }

/** Runs once for each hypervisor, until the process or its leadership ends. */
export function hypervisorWatch({ db, clock, log, hypervisors, watched }: WatchDeps): Reconciler {
  return {
    name: 'hypervisor-watch',
    everyMs: 15_000,
    concurrency: 64,
    // A hypervisor that was just added.
    wakes: (changeEvent) =>
      changeEvent.type === 'hypervisor' && changeEvent.id !== null && !watched.has(changeEvent.id)
        ? changeEvent.id
        : null,
    due: () => leased(db, hypervisors),
    async reconcile(id, signal) {
      const hypervisor = await driverOf(db, hypervisors, id)
      if (!hypervisor) return
      try {
        for await (const event of hypervisor.events(signal)) {
          if (event.type === 'connected') watched.set(id, clock.now())
          if (event.type === 'lost') watched.delete(id)
          try {
            await handleEvent(db, id, hypervisor, event, clock.now())
          } catch (error) {
            // The routine check finds what was missed; to stop listening would miss more.
            log.warn({ err: error, hypervisor: id, event }, 'an event of a hypervisor was not taken in')
          }
        }
      } finally {
        watched.delete(id)
      }
    },
  }
}

/** Returns the ids of the rows that this process drives. */
export async function leased(db: Db, hypervisors: RoutersDeps['hypervisors']): Promise<number[]> {
  if (hypervisors.size === 0) return []
  const rows = await db
    .selectFrom('hypervisors')
    .select('id')
    .where('slug', 'in', [...hypervisors.keys()])
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function driverOf(
  db: Db,
  hypervisors: RoutersDeps['hypervisors'],
  id: number,
): Promise<Hypervisor | undefined> {
  const row = await db.selectFrom('hypervisors').select('slug').where('id', '=', id).executeTakeFirst()
  return row && hypervisors.get(row.slug)
}

async function handleEvent(
  db: Db,
  id: number,
  hypervisor: Hypervisor,
  event: HypervisorEvent,
  now: Date,
): Promise<void> {
  switch (event.type) {
    case 'connected':
      return markConnected(db, id, hypervisor, now)
    case 'lost':
      return markDisconnected(db, id, event.reason)
    case 'machine':
    case 'agent': {
      const router = await db
        .updateTable('routers')
        .set({ due_at: now })
        // Its agent starts with the guest, which may have lost what it was given before.
        .$if(event.type === 'agent' && event.up, (query) => query.set({ config_digest: null }))
        .where('uuid', '=', event.uuid)
        // A host may be compromised: it is believed only about its own routers.
        .where('hypervisor_id', '=', id)
        .returning(['id', 'account_id'])
        .executeTakeFirst()
      if (router) await publishRouterChanged(db, router)
    }
  }
}

/** Checks all of its routers, because everything may have changed in the meantime. */
export async function markConnected(db: Db, id: number, hypervisor: Hypervisor, now: Date): Promise<void> {
  const reported = await readHypervisorDetails(hypervisor)
  await db
    .updateTable('hypervisors')
    .set({ ...reported, connected: true, connected_at: now, answered_at: now, fault: null })
    .where('id', '=', id)
    .execute()
  await publish(db, { type: 'hypervisor', id, accountId: null })
  const routers = await db
    .updateTable('routers')
    .set({ due_at: now })
    .where('hypervisor_id', '=', id)
    .returning(['id', 'account_id'])
    .execute()
  for (const router of routers) await publishRouterChanged(db, router)
}

/** Keeps its routers as they were last seen and tells their owners that the state is unknown. */
export async function markDisconnected(db: Db, id: number, reason: string): Promise<void> {
  const fault = reason.slice(0, 500)
  const lost = await db
    .updateTable('hypervisors')
    .set({ connected: false, fault })
    .where('id', '=', id)
    .where('connected', '=', true)
    .executeTakeFirst()
  if (lost.numUpdatedRows === 0n) return recordFault(db, id, fault)
  await publish(db, { type: 'hypervisor', id, accountId: null })
  const routers = await db.selectFrom('routers').select(['id', 'account_id']).where('hypervisor_id', '=', id).execute()
  for (const router of routers) await publishRouterChanged(db, router)
}

/** For a hypervisor that is not connected: staff read why it still is not. */
async function recordFault(db: Db, id: number, fault: string): Promise<void> {
  const noted = await db
    .updateTable('hypervisors')
    .set({ fault })
    .where('id', '=', id)
    .where('connected', '=', false)
    .where('fault', 'is distinct from', fault)
    .executeTakeFirst()
  if (noted.numUpdatedRows > 0n) await publish(db, { type: 'hypervisor', id, accountId: null })
}
