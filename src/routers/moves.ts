/**
 * Moves a router that its host cannot make to another, as long as it has never booted. See
 * docs/decisions/0024-placement.md.
 */
import type { Hypervisor, HypervisorError } from '../drivers/hypervisor/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { findOtherHost } from './capacity.ts'
import type { RoutersDeps } from './deps.ts'
import { recordRouterEvent } from './events.ts'
import { explainCause } from './failures.ts'
import type { Step } from './next-step.ts'
import { lockRouter, type RouterRow } from './queries.ts'
import { isOff } from './states.ts'

/** If two hosts cannot make it, a third will not either, and each leaves something behind for a while. */
const MOST_MOVES = 2
/** Longer than a restart of the portal or of libvirt. */
const AWAY_MS = 2 * 60_000

type MoveDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log'>

/**
 * Called after the host refused a step. Returns false where the router stays: it has booted, or there is no other host
 * for it.
 */
export async function leaveHost(
  { db, clock, log }: MoveDeps,
  hypervisor: Hypervisor,
  row: RouterRow,
  step: Step,
  error: HypervisorError,
): Promise<boolean> {
  // As it was read before the step: a router that has booted keeps its disk.
  if (row.booted || (step.do !== 'ensure' && step.do !== 'start')) return false
  if (step.do === 'start') {
    // The host refused and the machine is off: it has not booted after all.
    if (!isOff(await hypervisor.state(row.uuid))) return false
    await db
      .updateTable('routers')
      .set({ booted: false })
      .where('id', '=', row.id)
      .where('hypervisor_id', '=', row.hypervisor_id)
      .where('observed', 'in', ['off', 'absent'])
      .execute()
  }
  const moved = await inTransaction(db, async (on) => {
    const held = await lockRouter(on, row.id)
    return held?.generation === row.generation && move(on, held, explainCause(error), clock.now())
  })
  if (!moved) return false
  // Otherwise the cleanup of orphaned resources does it.
  await hypervisor.remove(row.uuid).catch((reason: unknown) => {
    log.warn({ err: reason, router: row.id }, 'a router left its host, and not all of it could be removed there')
  })
  return true
}

/** Moves routers that never booted off unreachable hosts. The leader of the workers runs it. */
export function routerMoves({ db, clock }: Pick<MoveDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'router-moves',
    everyMs: 15_000,
    concurrency: 1,
    wakes: () => null,
    due: () => listStranded(db, clock.now()),
    async reconcile(id) {
      await inTransaction(db, async (on) => {
        const held = await lockRouter(on, id)
        if (!held || !(await listStranded(on, clock.now(), id)).includes(id)) return
        await move(on, held, 'its host does not answer', clock.now())
      })
    },
  }
}

async function listStranded(db: Db, now: Date, id?: number): Promise<number[]> {
  const since = new Date(now.getTime() - AWAY_MS)
  const rows = await db
    .selectFrom('routers')
    .innerJoin('hypervisors', 'hypervisors.id', 'routers.hypervisor_id')
    .select('routers.id')
    .where('booted', '=', false)
    .where('desired_state', '=', 'running')
    .where('suspended', '=', false)
    .where('address_at', '<', since)
    .where('connected', '=', false)
    .where((eb) => eb.or([eb('answered_at', 'is', null), eb('answered_at', '<', since)]))
    .$if(id !== undefined, (query) => query.where('routers.id', '=', id!))
    .orderBy('routers.id')
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

/** `held`: its row is locked. Its addresses stay: they belong to the site. */
async function move(db: Db, held: RouterRow, reason: string, now: Date): Promise<boolean> {
  if (held.booted || held.desired_state === 'absent') return false
  const moves = await db.selectFrom('router_moves').select('hypervisor_id').where('router_id', '=', held.id).execute()
  if (moves.length >= MOST_MOVES) return false
  const tried = [held.hypervisor_id, ...moves.map((move) => move.hypervisor_id)]
  const target = await findOtherHost(db, held, { tried, now })
  if (target === null) return false
  await db
    .insertInto('router_moves')
    .values({ router_id: held.id, hypervisor_id: held.hypervisor_id, at: now })
    .execute()
  await db
    .updateTable('routers')
    .set((eb) => ({
      hypervisor_id: target,
      // A step that the former host is about to take becomes stale.
      generation: eb('generation', '+', 1),
      observed: 'absent' as const,
      observed_at: now,
      machine_digest: null,
      disk_at: null,
      started_at: null,
      failure: null,
      failure_detail: null,
      failures: 0,
      retry_at: null,
      due_at: now,
    }))
    .where('id', '=', held.id)
    .execute()
  await recordRouterEvent(db, SYSTEM, held, 'router.moved', {
    reason,
    fromHypervisor: held.hypervisor_id,
    toHypervisor: target,
  })
  for (const id of [held.hypervisor_id, target]) await publish(db, { type: 'hypervisor', id, accountId: null })
  return true
}
