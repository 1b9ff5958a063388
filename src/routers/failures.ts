/** Explains a failed step to the customer, keeps the hypervisor's message for staff, and says when to retry. */
import type { HypervisorError } from '../drivers/hypervisor/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { pauseAfter } from './backoff.ts'
import { recordRouterEvent } from './events.ts'
import type { Step } from './next-step.ts'
import { applyDesiredState, updateObserved } from './observe.ts'
import type { RouterRow } from './queries.ts'
import { setDesiredState } from './router-commands.ts'

/** True for errors that say nothing about the router: the hypervisor or the guest could not be asked just now. */
export const isPassing = (error: HypervisorError): boolean =>
  error.kind === 'unreachable' || error.kind === 'timeout-unknown' || error.kind === 'agent-silent'

const DOING: Partial<Record<Step['do'], string>> = {
  ensure: 'be prepared',
  start: 'be started',
  stop: 'be stopped',
  reset: 'be reset',
  reinstall: 'get a new disk',
  remove: 'be removed',
}

/** Explains the cause to the owner of a router. */
export const explainCause = (error: HypervisorError): string =>
  error.kind === 'no-space' ? 'its host has no space left' : 'its host refused'

function explain(step: Step['do'], error: HypervisorError): string {
  const what = `The router could not ${DOING[step] ?? 'be brought up'}`
  return `${what}: ${explainCause(error)}. It is retried automatically.`
}

/** Returns how long to wait. The audit log gets one entry, not one for every attempt. */
export async function recordFailure(
  db: Db,
  row: RouterRow,
  step: Step['do'],
  error: HypervisorError,
  now: Date,
): Promise<number> {
  const pause = pauseAfter(row.failures + 1)
  const failure = explain(step, error)
  return inTransaction(db, async (transaction) => {
    // A command given in the meantime is tried at once: it may be another step.
    if (!(await applyDesiredState(transaction, row))) return 0
    await updateObserved(transaction, row, {
      failure,
      failure_detail: `${step}: ${error.kind}: ${error.message}`.slice(0, 1000),
      failures: row.failures + 1,
      retry_at: new Date(now.getTime() + pause),
    })
    if (row.failure === null) await recordRouterEvent(transaction, SYSTEM, row, 'router.failed', { reason: failure })
    return pause
  })
}

/** Records once that a guest does not answer in time, while the portal keeps asking. */
export async function recordSilence(db: Db, row: RouterRow, minutes: number): Promise<void> {
  if (row.failure !== null) return
  const failure = `The router was started but has not answered for ${minutes} minutes. Its console shows how far it got.`
  await inTransaction(db, async (transaction) => {
    await updateObserved(transaction, row, { failure, failure_detail: 'greet: agent-silent' })
    await recordRouterEvent(transaction, SYSTEM, row, 'router.failed', { reason: failure })
  })
}

/** Powers off a router that is not charged because it never answered: otherwise it would run for nothing. */
export async function stopSilent(db: Db, row: RouterRow, minutes: number, now: Date): Promise<void> {
  await inTransaction(db, async (transaction) => {
    if (!(await applyDesiredState(transaction, row))) return
    const change = { desired_state: 'stopped', stop_mode: 'force', task: null, task_phase: null } as const
    await setDesiredState(transaction, row.id, change, now)
    const reason = `it did not answer for ${minutes} minutes. Start it to try again`
    await recordRouterEvent(transaction, SYSTEM, row, 'router.silent_stopped', { reason })
  })
}
