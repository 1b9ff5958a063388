/** Writes the desired state of a router. The reconciler acts on it; nothing here reaches outside the database. */
import type { Updateable } from 'kysely'
import { conflict, invalid, type FieldProblem } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { reserveGrowth } from './capacity.ts'
import { requirePayable, listPlans } from './inventory/catalogue.ts'
import { recordRouterEvent } from './events.ts'
import { explainTakenName, isTakenName, TAKEN_NAME } from './names.ts'
import type { RouterRow } from './queries.ts'
import { closeUsagePeriod, openUsagePeriod } from './usage-periods.ts'
import { ACTION_LABELS, isAllowed, type PowerAction, type RouterAction } from './states.ts'
import type { RoutersTable } from './tables.ts'
import { stateOf } from './view.ts'

type Change = Pick<
  Updateable<RoutersTable>,
  | 'desired_state'
  | 'purge_at'
  | 'previous_desired_state'
  | 'stop_mode'
  | 'task'
  | 'task_phase'
  | 'suspended'
  | 'name'
  | 'plan_id'
  | 'cpus'
  | 'memory'
  | 'disk_size'
>

/** Throws 409, naming the state, when the table of states does not allow the action. */
export function requireAllowed(row: RouterRow, action: RouterAction): void {
  const state = stateOf(row)
  if (!isAllowed(action, state)) {
    throw conflict(`You cannot ${ACTION_LABELS[action]} this router while it is ${state}.`)
  }
}

/** Anything that failed before is retried at once. */
export async function setDesiredState(db: Db, routerId: number, change: Change, now: Date): Promise<void> {
  await db
    .updateTable('routers')
    .set(change)
    .set((eb) => ({
      generation: eb('generation', '+', 1),
      desired_at: now,
      due_at: now,
      failure: null,
      failure_detail: null,
      failures: 0,
      retry_at: null,
    }))
    .where('id', '=', routerId)
    .execute()
}

const POWER: Readonly<Record<PowerAction, Change>> = {
  start: { desired_state: 'running', task: null, task_phase: null },
  shutdown: { desired_state: 'stopped', stop_mode: 'graceful', task: null, task_phase: null },
  stop: { desired_state: 'stopped', stop_mode: 'force', task: null, task_phase: null },
  reboot: { desired_state: 'running', task: 'reboot', task_phase: 'down' },
  reset: { desired_state: 'running', task: 'reset', task_phase: 'down' },
  reinstall: { desired_state: 'running', task: 'reinstall', task_phase: 'down' },
}
/** These make a router run that may be off, so the account must be able to pay for it. */
const POWERS_UP = new Set<PowerAction>(['start', 'reinstall'])

export async function requestPower(
  db: Db,
  actor: Actor,
  row: RouterRow,
  action: PowerAction,
  now: Date,
  /** Given by staff. */
  reason?: string,
): Promise<void> {
  requireAllowed(row, action)
  if (action === 'reinstall') requireUnprotected(row)
  if (POWERS_UP.has(action)) await requirePayable(db, row.account_id)
  await setDesiredState(db, row.id, POWER[action], now)
  await recordRouterEvent(db, actor, row, 'router.action_requested', {
    action,
    ...(reason !== undefined && { reason }),
  })
}

/** Throws 409 `deletion_protected`. */
export function requireUnprotected(row: RouterRow): void {
  if (row.delete_protected) {
    throw conflict('Deletion protection is on. Switch it off first.', 'deletion_protected')
  }
}

/** It has no effect outside the database, so no new generation begins. */
export async function protectRouter(
  db: Db,
  actor: Actor,
  row: RouterRow,
  isProtected: boolean,
  reason?: string,
): Promise<void> {
  if (row.delete_protected === isProtected) return
  requireAllowed(row, 'rename')
  await db.updateTable('routers').set({ delete_protected: isProtected }).where('id', '=', row.id).execute()
  await recordRouterEvent(db, actor, row, 'router.protection_changed', {
    protected: isProtected,
    ...(reason !== undefined && { reason }),
  })
}

interface Alteration {
  readonly name?: string | undefined
  /** A slug. */
  readonly plan?: string | undefined
}

/** Returns all issues with the present fields of a change, whatever state the router is in. */
export async function validateRouterChange(
  db: Db,
  row: RouterRow,
  { name, plan }: Alteration,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  if (name !== undefined && name !== row.name && (await isTakenName(db, row.account_id, name, row.id))) {
    problems.push(TAKEN_NAME)
  }
  if (plan !== undefined && plan !== row.plan_slug && !(await findPlan(db, plan))) problems.push(noSuchPlan(plan))
  return problems
}

const findPlan = (db: Db, slug: string) => listPlans(db).where('slug', '=', slug).executeTakeFirst()

const noSuchPlan = (slug: string): FieldProblem => ({
  field: 'plan',
  message: `there is no plan "${slug}": see GET /api/catalogue`,
})

export async function renameRouter(db: Db, actor: Actor, row: RouterRow, name: string, now: Date): Promise<void> {
  if (name === row.name) return
  requireAllowed(row, 'rename')
  if (await isTakenName(db, row.account_id, name, row.id)) throw invalid([TAKEN_NAME])
  await explainTakenName(() => setDesiredState(db, row.id, { name }, now))
  await recordRouterEvent(db, actor, row, 'router.renamed', { before: row.name, after: name })
}

/** Throws 422 for a plan that is not sold or has a smaller disk, 409 for no room. */
export async function resizeRouter(db: Db, actor: Actor, row: RouterRow, slug: string, now: Date): Promise<void> {
  if (slug === row.plan_slug) return
  const plan = await findPlan(db, slug)
  if (!plan) throw invalid([noSuchPlan(slug)])
  requireAllowed(row, 'resize')
  if (plan.disk_size < row.disk_size) {
    const message = `has a disk of ${plan.disk_size} GiB, and a disk of ${row.disk_size} GiB cannot shrink`
    throw invalid([{ field: 'plan', message }])
  }
  await requirePayable(db, row.account_id)
  const size = { cpus: plan.cpus, memory: plan.memory, disk_size: plan.disk_size }
  await reserveGrowth(db, row, { cpus: size.cpus, memory: size.memory, disk: size.disk_size })
  await setDesiredState(db, row.id, { ...size, plan_id: plan.id, task: 'resize', task_phase: 'up' }, now)
  if (await closeUsagePeriod(db, row.id, now)) await openUsagePeriod(db, { ...row, plan_id: plan.id }, now)
  await recordRouterEvent(db, actor, row, 'router.resized', { before: row.plan_slug, after: plan.slug })
}
