/** Stores the observed state of a router if it changed. */
import type { Updateable } from 'kysely'
import type { Hypervisor, MachineState } from '../drivers/hypervisor/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { pauseAfter } from './backoff.ts'
import { recordRouterEvent, publishRouterChanged } from './events.ts'
import type { RouterRow } from './queries.ts'
import { isOff } from './states.ts'
import type { RoutersTable } from './tables.ts'
import { setDesiredState } from './router-commands.ts'

/** Writes what a step found or did. Only commands write the desired state. */
export async function updateObserved(db: Db, row: RouterRow, change: Updateable<RoutersTable>): Promise<void> {
  await db.updateTable('routers').set(change).where('id', '=', row.id).execute()
  await publishRouterChanged(db, row)
}

/** Returns whether the desired state is still as it was read. It cannot change until the transaction ends. */
export async function applyDesiredState(db: Db, row: RouterRow): Promise<boolean> {
  const held = await db
    .selectFrom('routers')
    .select('id')
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return held !== undefined
}

/** Writes only if the desired state has not changed in the meantime, for changes that must not outlive it. */
export async function updateIfUnchanged(db: Db, row: RouterRow, change: Updateable<RoutersTable>): Promise<void> {
  const written = await db
    .updateTable('routers')
    .set(change)
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .executeTakeFirst()
  if (written.numUpdatedRows > 0n) await publishRouterChanged(db, row)
}

/** Returns whether something changed; the row must then be read again. */
export async function observe(
  db: Db,
  row: RouterRow,
  seen: MachineState,
  { hypervisor, now, watchedSince }: { hypervisor: Hypervisor; now: Date; watchedSince: Date | undefined },
): Promise<boolean> {
  if (seen === 'unknown' || seen === row.observed) return false
  const unasked = endedUnasked(row, seen)
  const byGuest =
    unasked &&
    wasWatched(row, watchedSince) &&
    row.ready_at !== null &&
    (await hypervisor.endedBy(row.uuid)) === 'guest'
  await inTransaction(db, async (transaction) => {
    // It follows from the desired state that was read: above all, an observation must not undo a later deletion.
    const wished = await applyDesiredState(transaction, row)
    const crashed = wished && seen === 'crashed' && row.desired_state === 'running'
    await updateObserved(transaction, row, {
      observed: seen,
      observed_at: now,
      ...(!isOff(seen) && { booted: true }),
      ...(isOff(seen) && { ready_at: null, started_at: null, stop_asked_at: null, config_digest: null }),
      // A router that crashes again and again is started at longer and longer intervals, until it has settled once.
      ...(crashed && {
        failures: row.failures + 1,
        retry_at: new Date(now.getTime() + pauseAfter(row.failures + 1)),
      }),
    })
    if (crashed) await recordRouterEvent(transaction, SYSTEM, row, 'router.crashed')
    if (!wished || !unasked) return
    if (!byGuest) return recordRouterEvent(transaction, SYSTEM, row, 'router.found_stopped')
    await setDesiredState(transaction, row.id, { desired_state: 'stopped', stop_mode: 'graceful' }, now)
    await recordRouterEvent(transaction, SYSTEM, row, 'router.guest_shutdown')
  })
  return true
}

/**
 * Returns whether nothing that the portal did, or began and took back, explains that the machine is off. A crash has
 * its own event.
 */
function endedUnasked(row: RouterRow, seen: MachineState): boolean {
  return (
    seen === 'off' &&
    (row.observed === 'running' || row.observed === 'stopping') &&
    row.desired_state === 'running' &&
    row.task === null &&
    !row.suspended &&
    row.stop_asked_at === null
  )
}

/**
 * A customer who shuts the router down from inside wants it off, so the desired state follows. Only if this process
 * watched it all the time: after a lost connection or a restart, the host itself may have gone down. A router that
 * stays down after that is worse than one that starts against its owner's will.
 */
function wasWatched(row: RouterRow, watchedSince: Date | undefined): boolean {
  return watchedSince !== undefined && row.checked_at !== null && row.checked_at > watchedSince
}
