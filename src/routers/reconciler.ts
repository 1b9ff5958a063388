/** Moves routers to their desired state, one step at a time. See docs/decisions/0004-desired-and-observed.md. */
import type { AccountId } from '../kernel/ids.ts'
import { HypervisorError } from '../drivers/hypervisor/index.ts'
import type { ChangeEvent } from '../platform/events.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import type { RouterContributions, RoutersDeps } from './deps.ts'
import { desiredMachine } from './desired-machine.ts'
import { isPassing, recordFailure } from './failures.ts'
import { leased, markDisconnected } from './hypervisors/hypervisor-watch.ts'
import { graceOf, nextStep, type Step } from './next-step.ts'
import { observe } from './observe.ts'
import { leaveHost } from './moves.ts'
import { findRouter } from './queries.ts'
import { takeStep, type StepTools } from './steps.ts'
import type { Watched } from './hypervisors/watch-start-times.ts'

/** Even routers without change events are checked this often: events may be lost, and a host may be changed by hand. */
const CHECK_EVERY_MS = 60_000
/** More than any router needs to settle. Beyond it something loops, and the other routers go first. */
const STEPS_AT_ONCE = 12
/** Nothing is done to a machine while its hypervisor does not know its state. */
const UNKNOWN_PAUSE_MS = 5_000
/** A transient fault of a guest's agent is retried soon. */
const AGENT_PAUSE_MS = 2_000
/** Starts, above all, are heavy on a host. */
const AT_ONCE = 4

export type ReconcilerDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors' | 'pricing'> & {
  readonly contributions: Pick<RouterContributions, 'guestConfig'>
  readonly watched: Watched
}

export function routerReconciler(deps: ReconcilerDeps): Reconciler {
  const { db, clock, hypervisors } = deps
  const now = () => clock.now()
  const shutdowns: StepTools['shutdowns'] = new Map()
  /**
   * Routers whose routing configuration may have changed. Lost with the process: the routine check finds them again.
   */
  const changed = new Set<AccountId>()

  return {
    name: 'routers',
    everyMs: 5_000,
    concurrency: AT_ONCE,
    wakes: (changeEvent) => wakes(changeEvent, changed),
    async due() {
      const hosts = await leased(db, hypervisors)
      if (hosts.length === 0) return []
      const owners = [...changed]
      changed.clear()
      const rows = await db
        .selectFrom('routers')
        .select('id')
        .where('hypervisor_id', 'in', hosts)
        .where((eb) =>
          eb.or([
            eb.and([
              eb.or([eb('due_at', '<=', now()), eb('purge_at', '<=', now())]),
              eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', now())]),
            ]),
            eb.and([eb('due_at', 'is', null), eb('checked_at', '<', new Date(now().getTime() - CHECK_EVERY_MS))]),
            ...(owners.length > 0 ? [eb('account_id', 'in', owners)] : []),
          ]),
        )
        .orderBy(
          (eb) => eb.ref('due_at'),
          (order) => order.asc().nullsLast(),
        )
        .orderBy('checked_at')
        .limit(500)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id, signal) {
      for (let steps = 0; steps < STEPS_AT_ONCE && !signal.aborted; steps++) {
        const outcome = await advance(deps, { shutdowns, signal }, id)
        if (outcome === 'done') return
        if (outcome !== 'again') return { againInMs: outcome }
      }
      return { againInMs: 0 }
    },
  }
}

function wakes(changeEvent: ChangeEvent, changed: Set<AccountId>): number | 'all' | null {
  if (changeEvent.type === 'router') return changeEvent.id
  if (changeEvent.type !== 'connection' && changeEvent.type !== 'prefix') return null
  if (changeEvent.accountId !== null) changed.add(changeEvent.accountId)
  return 'all'
}

/** Observes the router and takes the one step that follows. */
async function advance(deps: ReconcilerDeps, run: Pick<StepTools, 'shutdowns' | 'signal'>, id: number) {
  const { db, clock, hypervisors, contributions, pricing } = deps
  const row = await findRouter(db, id)
  // Change events of routers reach every process; each handles only its own hosts' routers.
  const hypervisor = row && hypervisors.get(row.hypervisor_slug)
  if (!row || !hypervisor) return 'done'
  const wait = (row.retry_at?.getTime() ?? 0) - clock.now().getTime()
  if (wait > 0) return wait

  let step: Step = { do: 'wait' }
  try {
    const seen = await hypervisor.state(row.uuid)
    if (seen === 'unknown') return UNKNOWN_PAUSE_MS
    const watchedSince = deps.watched.get(row.hypervisor_id)
    if (await observe(db, row, seen, { hypervisor, now: clock.now(), watchedSince })) return 'again'
    const machine = await desiredMachine(db, row, contributions)
    step = nextStep({
      desiredState: row.desired_state,
      grace: graceOf(row.purge_at, clock.now()),
      suspended: row.suspended,
      stopMode: row.stop_mode,
      task: row.task,
      taskPhase: row.task_phase,
      seen,
      machineCurrent: row.machine_digest === machine.machineDigest,
      ready: row.ready_at !== null,
      configDelivered:
        row.config_digest === machine.configDigest &&
        (row.own_files_retry_at === null || row.own_files_retry_at > clock.now()),
    })
    if (step.do !== 'stop' || step.mode === 'force') cancelShutdown(run.shutdowns, id)
    return await takeStep(step, row, machine, { db, hypervisor, ...run, pricing, now: () => clock.now() })
  } catch (error) {
    if (!(error instanceof HypervisorError)) throw error
    if (error.kind === 'agent-silent') return AGENT_PAUSE_MS
    if (error.kind === 'unreachable') await markDisconnected(db, row.hypervisor_id, error.message)
    if (isPassing(error)) throw error
    // Reported once for each failure: further attempts would bury other problems.
    deps.log[row.failure === null ? 'warn' : 'info']({ err: error, router: row.id, step: step.do }, 'a step failed')
    if (await leaveHost(deps, hypervisor, row, step, error)) return 'done'
    return recordFailure(db, row, step.do, error, clock.now())
  }
}

/** Called when the desired state has changed: the guest is not asked again, and not forced off at the deadline. */
function cancelShutdown(shutdowns: StepTools['shutdowns'], id: number): void {
  shutdowns.get(id)?.giveUp()
  shutdowns.delete(id)
}
