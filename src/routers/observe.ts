/** What was seen of a router, written down when it is other than before. */
import type { Updateable } from 'kysely'
import type { MachineState } from '../drivers/hypervisor/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { pauseAfter } from './backoff.ts'
import { recordRouterEvent, tellRouterChanged } from './events.ts'
import type { RouterRow } from './queries.ts'
import { isOff } from './states.ts'
import type { RoutersTable } from './tables.ts'
import { wish } from './wishes.ts'

/** Writes what a step found or did. Wishes are not written here: they belong to whoever wishes. */
export async function note(db: Db, row: RouterRow, change: Updateable<RoutersTable>): Promise<void> {
  await db.updateTable('routers').set(change).where('id', '=', row.id).execute()
  await tellRouterChanged(db, row)
}

/** Whether nobody has wished otherwise since the row was read, nor can until the transaction ends. */
export async function holdWish(db: Db, row: RouterRow): Promise<boolean> {
  const held = await db
    .selectFrom('routers')
    .select('id')
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return held !== undefined
}

/**
 * The same for what must not outlive the wish that it belongs to: nothing is written when somebody has wished
 * otherwise meanwhile.
 */
export async function noteUnlessOvertaken(db: Db, row: RouterRow, change: Updateable<RoutersTable>): Promise<void> {
  const written = await db
    .updateTable('routers')
    .set(change)
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .executeTakeFirst()
  if (written.numUpdatedRows > 0n) await tellRouterChanged(db, row)
}

/** Whether something was other than before; the row is then to be read again. */
export async function observe(
  db: Db,
  row: RouterRow,
  seen: MachineState,
  { now, watchedSince }: { now: Date; watchedSince: Date | undefined },
): Promise<boolean> {
  if (seen === 'unknown' || seen === row.observed) return false
  await inTransaction(db, async (transaction) => {
    // It follows from what was wished when it was read: a deletion, above all, is not taken back by what was seen before.
    const wished = await holdWish(transaction, row)
    const itself = wished && wentOffByItself(row, seen, watchedSince)
    const crashed = wished && seen === 'crashed' && row.wish === 'running'
    await note(transaction, row, {
      observed: seen,
      observed_at: now,
      ...(isOff(seen) && { ready_at: null, started_at: null, config_digest: null }),
      // One that crashes again and again is started at longer and longer intervals, until it has settled once.
      ...(crashed && {
        failures: row.failures + 1,
        retry_at: new Date(now.getTime() + pauseAfter(row.failures + 1)),
      }),
    })
    if (crashed) await recordRouterEvent(transaction, SYSTEM, row, 'router.crashed')
    if (!itself) return
    await wish(transaction, row.id, { wish: 'stopped', stop_mode: 'graceful' }, now)
    await recordRouterEvent(transaction, SYSTEM, row, 'router.shut_down_inside')
  })
  return true
}

/**
 * A customer who shuts the router down from inside wants it off, so the wish follows. Only for what was watched all the
 * time by this process: after a lost connection or a restart the host itself may have gone down, and a router that stays down after that is worse
 * than one that starts against the wish of its owner. A crash is never a wish.
 */
export function wentOffByItself(row: RouterRow, seen: MachineState, watchedSince: Date | undefined): boolean {
  return (
    seen === 'off' &&
    (row.observed === 'running' || row.observed === 'stopping') &&
    row.wish === 'running' &&
    row.task === null &&
    !row.suspended &&
    row.ready_at !== null &&
    watchedSince !== undefined &&
    row.checked_at !== null &&
    row.checked_at > watchedSince
  )
}
