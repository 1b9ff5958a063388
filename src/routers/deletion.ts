/**
 * Deletes a router, and restores it within the operator's deletion grace. See
 * docs/decisions/0017-deletion-with-grace.md.
 */
import type { AccountId } from '../kernel/ids.ts'
import { conflict, invalid } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { Sender } from '../accounts/index.ts'
import { requirePayable } from './inventory/catalogue.ts'
import { sendDeleted, sendRestored } from './deletion-emails.ts'
import { recordRouterEvent, publishRouterChanged } from './events.ts'
import { explainTakenName, isTakenName, TAKEN_NAME } from './names.ts'
import type { RouterRow } from './queries.ts'
import { closeUsagePeriod, openUsagePeriod } from './usage-periods.ts'
import { requireAllowed, setDesiredState, requireUnprotected } from './router-commands.ts'

/** Part of the dependencies of routers. */
export type DeletionDeps = Sender & { readonly config: { readonly DELETE_GRACE: number } }

export async function deleteRouter(deps: DeletionDeps, db: Db, actor: Actor, row: RouterRow, now: Date): Promise<void> {
  requireAllowed(row, 'delete')
  requireUnprotected(row)
  const graceMs = deps.config.DELETE_GRACE
  const until = graceMs > 0 ? new Date(now.getTime() + graceMs) : null
  const kept =
    until && row.desired_state !== 'absent'
      ? { purge_at: until, previous_desired_state: row.desired_state, stop_mode: 'graceful' as const }
      : {}
  await setDesiredState(db, row.id, { desired_state: 'absent', task: null, task_phase: null, ...kept }, now)
  await closeUsagePeriod(db, row.id, now)
  await recordRouterEvent(db, actor, row, 'router.delete_requested', until ? { until: until.toISOString() } : {})
  if (until) await sendDeleted(db, deps, row, until)
}

/**
 * Restores it as it was before: running or stopped, on its disk, with its addresses. A router that is not deleted stays
 * as it is, so a client that got no response may ask again. Throws 402 for an owner who cannot be charged, 409 once the
 * purge has begun, and 422 when another router has taken the name.
 */
export async function restoreRouter(
  deps: DeletionDeps,
  db: Db,
  actor: Actor,
  row: RouterRow,
  { name = row.name, now }: { name?: string | undefined; now: Date },
): Promise<void> {
  if (row.desired_state !== 'absent') return
  if (row.previous_desired_state === null) throw conflict('This router is being removed: it can no longer be restored.')
  // Staff may restore it for a customer who has yet to pay: while the account is suspended, it waits SUSPENDED.
  if (actor.kind !== 'staff') await requirePayable(db, row.account_id)
  if (await isTakenName(db, row.account_id, name, row.id)) throw invalid([TAKEN_NAME])
  const former = { desired_state: row.previous_desired_state, purge_at: null, previous_desired_state: null, name }
  await explainTakenName(() => setDesiredState(db, row.id, former, now))
  const restored = { ...row, name }
  // One that never answered is charged from when it first answers, as if it had not been deleted.
  if (row.reachable_at !== null) await openUsagePeriod(db, restored, now)
  await recordRouterEvent(db, actor, restored, 'router.restored')
  if (actor.kind === 'staff') await sendRestored(db, deps, restored)
}

/** For an account that closes: its owner can no longer restore what they deleted. */
export async function purgeDeleted(db: Db, accountId: AccountId, now: Date): Promise<void> {
  const rows = await db
    .selectFrom('routers')
    .select(['id', 'account_id'])
    .where('account_id', '=', accountId)
    .where('purge_at', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const row of rows) {
    await setDesiredState(db, row.id, { purge_at: null, previous_desired_state: null }, now)
    await publishRouterChanged(db, row)
  }
}
