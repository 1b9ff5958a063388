/** Listens to every hypervisor: what changes there is looked at in the moment, not at the next routine check. */
import type { Hypervisor, HypervisorEvent } from '../../drivers/hypervisor/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RoutersDeps } from '../deps.ts'
import { publishRouterChanged } from '../events.ts'
import { readHypervisorDetails } from './read-facts.ts'
import type { Watched } from './watch-start-times.ts'

type WatchDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors'> & { readonly watched: Watched }

/** One long run for each hypervisor; it ends only with the process or the leadership. */
export function hypervisorWatch({ db, clock, log, hypervisors, watched }: WatchDeps): Reconciler {
  return {
    name: 'hypervisor-watch',
    everyMs: 15_000,
    concurrency: 64,
    // One that was just added.
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
            // What was missed is found by the routine check; to stop listening would miss more.
            log.warn({ err: error, hypervisor: id, event }, 'an event of a hypervisor was not taken in')
          }
        }
      } finally {
        watched.delete(id)
      }
    },
  }
}

/** Ids of the rows that this process drives. */
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
        // Its agent starts with the guest: what the guest was handed before, it may have lost.
        .$if(event.type === 'agent' && event.up, (query) => query.set({ config_digest: null }))
        .where('uuid', '=', event.uuid)
        // A host may be broken into: it is believed of its own routers alone.
        .where('hypervisor_id', '=', id)
        .returning(['id', 'user_id'])
        .executeTakeFirst()
      if (router) await publishRouterChanged(db, router)
    }
  }
}

/** Everything may have changed meanwhile: all of its routers are looked at. */
export async function markConnected(db: Db, id: number, hypervisor: Hypervisor, now: Date): Promise<void> {
  const reported = await readHypervisorDetails(hypervisor)
  await db
    .updateTable('hypervisors')
    .set({ ...reported, connected: true, connected_at: now, answered_at: now, fault: null })
    .where('id', '=', id)
    .execute()
  await publish(db, { type: 'hypervisor', id, userId: null })
  const routers = await db
    .updateTable('routers')
    .set({ due_at: now })
    .where('hypervisor_id', '=', id)
    .returning(['id', 'user_id'])
    .execute()
  for (const router of routers) await publishRouterChanged(db, router)
}

/** Its routers stay as they were last seen; their owners are told that it is not known how they are. */
export async function markDisconnected(db: Db, id: number, reason: string): Promise<void> {
  const fault = reason.slice(0, 500)
  const lost = await db
    .updateTable('hypervisors')
    .set({ connected: false, fault })
    .where('id', '=', id)
    .where('connected', '=', true)
    .executeTakeFirst()
  if (lost.numUpdatedRows === 0n) return recordFault(db, id, fault)
  await publish(db, { type: 'hypervisor', id, userId: null })
  const routers = await db.selectFrom('routers').select(['id', 'user_id']).where('hypervisor_id', '=', id).execute()
  for (const router of routers) await publishRouterChanged(db, router)
}

/** Of one that is not connected: staff read why it still is not. */
async function recordFault(db: Db, id: number, fault: string): Promise<void> {
  const noted = await db
    .updateTable('hypervisors')
    .set({ fault })
    .where('id', '=', id)
    .where('connected', '=', false)
    .where('fault', 'is distinct from', fault)
    .executeTakeFirst()
  if (noted.numUpdatedRows > 0n) await publish(db, { type: 'hypervisor', id, userId: null })
}
