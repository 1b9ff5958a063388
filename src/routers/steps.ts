/**
 * Takes one step. Each is idempotent on the hypervisor and then recorded: if the process is killed in between, the step
 * is taken again.
 */
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { HypervisorError } from '../drivers/hypervisor/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { RouterPricing } from './deps.ts'
import type { DesiredMachine } from './desired-machine.ts'
import { recordRouterEvent } from './events.ts'
import { recordSilence, stopSilent } from './failures.ts'
import { pushBirdConf } from './guest-push.ts'
import type { Step } from './next-step.ts'
import { updateObserved, updateIfUnchanged } from './observe.ts'
import type { RouterRow } from './queries.ts'
import { hasUsagePeriod, openUsagePeriod } from './usage-periods.ts'
import { isOff } from './states.ts'

/** How often to poll what is in progress. Events of the hypervisor usually come first. */
const POLL_AGAIN_MS = 1_000
/** The time a guest gets to close its sessions and unmount before it is powered off. */
const SHUTDOWN_MS = 90_000
/** Ten times what the appliance needs under emulation. */
const BOOT_MS = 3 * 60_000
/** Time to look at the console. After it a router that nobody pays for is powered off. */
const UNPAID_MS = 30 * 60_000
/** The pause before the owner's files that did not load are tried again. */
const OWN_FILES_RETRY_MS = 60_000

export interface StepTools {
  readonly db: Db
  readonly hypervisor: Hypervisor
  readonly now: () => Date
  readonly pricing: RouterPricing | undefined
  /** Shutdowns under way in this process, by router. */
  readonly shutdowns: Map<number, Shutdown>
  /** Aborts when this process no longer drives the hypervisor. */
  readonly signal: AbortSignal
}

export interface Shutdown {
  readonly over: Promise<void>
  /** Called when the router is no longer to be shut down; otherwise it would still be forced off at the deadline. */
  readonly giveUp: () => void
}

/** `'again'`: look for the next step at once; a number: in this many milliseconds; `'done'`: nothing is left to do. */
export type Outcome = 'again' | 'done' | number

export async function takeStep(
  step: Step,
  row: RouterRow,
  machine: DesiredMachine,
  tools: StepTools,
): Promise<Outcome> {
  const { db, hypervisor } = tools
  switch (step.do) {
    case 'purge':
      await updateIfUnchanged(db, row, { purge_at: null, previous_desired_state: null, due_at: tools.now() })
      return 'again'
    case 'remove':
      await hypervisor.remove(row.uuid)
      await deleteRow(db, row)
      return 'done'
    case 'ensure': {
      const { changed } = await hypervisor.ensure(machine.spec)
      await updateObserved(db, row, {
        machine_digest: machine.machineDigest,
        needs_restart: changed === 'needs-restart',
        disk_at: row.disk_at ?? tools.now(),
      })
      return 'again'
    }
    case 'start':
      // A rebuilt image keeps its name: only the hypervisor sees that its files differ.
      if (row.boot_at !== null && isOff(row.observed)) await hypervisor.ensure(machine.spec)
      if (!(await claimBoot(db, row))) return 'done'
      await hypervisor.start(row.uuid)
      await updateObserved(db, row, { ...bootsNow(row, tools.now()), needs_restart: false })
      return 'again'
    case 'stop':
      // Recorded first: a process killed in between must not read the end of this boot as the guest's own shutdown.
      if (row.stop_asked_at === null) await updateObserved(db, row, { stop_asked_at: tools.now() })
      return step.mode === 'force' ? forceStop(row, tools) : shutDown(row, tools)
    case 'reset':
      await hypervisor.reset(row.uuid)
      await updateIfUnchanged(db, row, { ...bootsNow(row, tools.now()), task_phase: 'up' })
      return 'again'
    case 'reinstall':
      await hypervisor.reinstall(row.uuid)
      await hypervisor.ensure(machine.spec)
      await updateIfUnchanged(db, row, { task_phase: 'up', disk_at: tools.now(), boot_at: null, reachable_at: null })
      return 'again'
    case 'next-phase':
      await updateIfUnchanged(db, row, { task_phase: 'up' })
      return 'again'
    case 'await-agent':
      return awaitAgent(row, tools)
    case 'configure':
      return configure(row, machine, tools)
    case 'finish':
      await updateIfUnchanged(db, row, { task: null, task_phase: null })
      return 'again'
    case 'wait':
      return POLL_AGAIN_MS
    case 'mark-converged':
      await markConverged(row, tools)
      return 'done'
  }
}

/** Deletes the row last: until then the router is found and removed again. Its lease goes with it. */
async function deleteRow(db: Db, row: RouterRow): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const gone = await transaction.deleteFrom('routers').where('id', '=', row.id).executeTakeFirst()
    if (gone.numDeletedRows === 0n) return
    await recordRouterEvent(transaction, SYSTEM, row, 'router.deleted')
  })
}

const bootsNow = (row: RouterRow, now: Date) => ({
  started_at: now,
  ready_at: null,
  stop_asked_at: null,
  config_digest: null,
  boot_at: row.boot_at ?? now,
})

/**
 * Called before the start: from here on the router cannot move to another host, even if this process dies. False when
 * it has moved since the row was read.
 */
async function claimBoot(db: Db, row: RouterRow): Promise<boolean> {
  if (row.booted) return true
  const claimed = await db
    .updateTable('routers')
    .set({ booted: true })
    .where('id', '=', row.id)
    .where('hypervisor_id', '=', row.hypervisor_id)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

async function forceStop(row: RouterRow, { hypervisor }: StepTools): Promise<Outcome> {
  await hypervisor.stop(row.uuid, { mode: 'force' })
  return 'again'
}

/** Waits a moment at a time, so that it notices a changed desired state, such as a forced stop. */
async function shutDown(row: RouterRow, { hypervisor, shutdowns, now, signal }: StepTools): Promise<Outcome> {
  let underWay = shutdowns.get(row.id)
  if (!underWay) {
    // Counted from the command, so that a restart of the portal does not grant the time again.
    const left = row.desired_at.getTime() + SHUTDOWN_MS - now().getTime()
    const given = new AbortController()
    const over = hypervisor.stop(row.uuid, {
      mode: 'graceful',
      deadlineMs: Math.max(POLL_AGAIN_MS, left),
      signal: AbortSignal.any([signal, given.signal]),
    })
    const shutdown: Shutdown = { over, giveUp: () => given.abort() }
    underWay = shutdown
    shutdowns.set(row.id, shutdown)
    const deleteRow = (): void => void (shutdowns.get(row.id) === shutdown && shutdowns.delete(row.id))
    over.then(deleteRow, deleteRow)
  }
  let timer: NodeJS.Timeout | undefined
  const moment = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(POLL_AGAIN_MS), POLL_AGAIN_MS)
  })
  try {
    return await Promise.race([underWay.over.then((): Outcome => 'again'), moment])
  } finally {
    clearTimeout(timer)
  }
}

async function awaitAgent(row: RouterRow, { db, hypervisor, now, pricing }: StepTools): Promise<Outcome> {
  try {
    await hypervisor.guest(row.uuid).ping()
  } catch (error) {
    if (!(error instanceof HypervisorError && error.kind === 'agent-silent')) throw error
    if (row.started_at === null) {
      await updateObserved(db, row, { started_at: now() })
      return POLL_AGAIN_MS
    }
    const silent = now().getTime() - row.started_at.getTime()
    if (silent > UNPAID_MS && !(await hasUsagePeriod(db, row.id))) {
      await stopSilent(db, row, UNPAID_MS / 60_000, now())
      return 'again'
    }
    if (silent > BOOT_MS) await recordSilence(db, row, BOOT_MS / 60_000)
    return POLL_AGAIN_MS
  }
  const at = now()
  await inTransaction(db, async (transaction) => {
    await updateObserved(transaction, row, {
      ready_at: at,
      reachable_at: row.reachable_at ?? at,
      failure: null,
      failure_detail: null,
    })
    if (row.reachable_at !== null) {
      if (row.failure !== null) await recordRouterEvent(transaction, SYSTEM, row, 'router.recovered')
      return
    }
    // The update above locks the row until the commit. A router deleted in the meantime is never charged; one deleted
    // after this finds the usage period and ends it.
    const held = await transaction
      .selectFrom('routers')
      .select('desired_state')
      .where('id', '=', row.id)
      .executeTakeFirst()
    if (held === undefined || held.desired_state === 'absent') return
    await openUsagePeriod(transaction, row, at)
    const { id, account_id: accountId, setup_price: setupPrice, name, plan_slug: plan } = row
    if (setupPrice > 0) await pricing?.chargeSetUp(transaction, { id, accountId, name, plan, setupPrice }, at)
    await recordRouterEvent(transaction, SYSTEM, row, 'router.reachable')
  })
  return 'again'
}

async function configure(
  row: RouterRow,
  machine: DesiredMachine,
  { db, hypervisor, now }: StepTools,
): Promise<Outcome> {
  const { error, ownFilesError } = await pushBirdConf(hypervisor.guest(row.uuid), machine.birdConf)
  await inTransaction(db, async (transaction) => {
    await updateObserved(transaction, row, {
      config_digest: machine.configDigest,
      config_error: error,
      own_files_error: ownFilesError,
      own_files_retry_at: ownFilesError === null ? null : new Date(now().getTime() + OWN_FILES_RETRY_MS),
      ...(error === null && { config_at: now() }),
    })
    if (error !== null && error !== row.config_error)
      await recordRouterEvent(transaction, SYSTEM, row, 'router.configuration_refused', { reason: error })
    if (ownFilesError !== null && ownFilesError !== row.own_files_error)
      await recordRouterEvent(transaction, SYSTEM, row, 'router.own_files_refused', { reason: ownFilesError })
  })
  return 'again'
}

async function markConverged(row: RouterRow, { db, now }: StepTools): Promise<void> {
  // A boot whose shutdown was canceled has passed the time in which a guest may still follow it.
  const survived = row.stop_asked_at !== null && now().getTime() - row.stop_asked_at.getTime() > SHUTDOWN_MS
  if (survived) await updateObserved(db, row, { stop_asked_at: null })
  await inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('routers')
      .set({ due_at: null, checked_at: now(), failure: null, failure_detail: null, failures: 0, retry_at: null })
      .where('id', '=', row.id)
      .where('generation', '=', row.generation)
      .execute()
    if (row.failure === null) return
    await updateObserved(transaction, row, { failure: null })
    await recordRouterEvent(transaction, SYSTEM, row, 'router.recovered')
  })
}
