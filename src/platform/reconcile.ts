/**
 * Runs reconcilers. A reconciler lists the rows that are due and brings one of them to its desired state, in idempotent
 * steps. It is level-triggered: a change event only means "check sooner". The truth is read from the database and the
 * outside each time, so lost events and killed processes cost time, never correctness.
 */
import type { ChangeEvent, ChangeBus } from './events.ts'
import type { Log } from './log.ts'

export interface Reconciler {
  readonly name: string
  /** Returns the ids that are due now, most urgent first; at most a few hundred. `among`: only of these. */
  due(among?: readonly number[]): Promise<number[]>
  /** Brings one row to its desired state. A throw means "again later", with growing pauses. */
  reconcile(id: number, signal: AbortSignal): Promise<void | { againInMs: number }>
  /**
   * Returns the id of the row that this event makes due at once, `{ perhaps }` to call {@link due} for one row, or
   * `'all'` to call it for all; null for other events.
   */
  wakes(changeEvent: ChangeEvent): number | { readonly perhaps: number } | 'all' | null
  /** How often to call {@link due} without events. */
  readonly everyMs: number
  readonly concurrency: number
}

/** Wakes for the row of an event that names one, else for all. */
export const perhaps = (id: number | null): { readonly perhaps: number } | 'all' =>
  id === null ? 'all' : { perhaps: id }

/** The state of a reconciler, for the metrics. */
export interface ReconcileState {
  readonly name: string
  readonly waiting: number
  readonly underWay: number
  /** Rows that failed and wait for the next attempt. */
  readonly failing: number
  /** How long the oldest wanted row has not succeeded: it waits, runs or fails. Also how long the due rows cannot be read. */
  readonly lagSeconds: number
}

export interface ReconcilerStats {
  /** Reports until the returned function is called. */
  watch(read: () => ReconcileState): () => void
  read(): readonly ReconcileState[]
}

export function createReconcilerStats(): ReconcilerStats {
  const watched = new Set<() => ReconcileState>()
  return {
    watch(read) {
      watched.add(read)
      return () => watched.delete(read)
    },
    read: () => [...watched].map((read) => read()),
  }
}

const FIRST_PAUSE_MS = 250
/** Long enough not to overload something that is down, short enough that a person sees it recover. */
const LONGEST_PAUSE_MS = 20_000

interface Slot {
  running: boolean
  /** It was requested again while it ran. */
  again: boolean
  failures: number
  /** When it was first wanted and has not succeeded since, on the monotonic clock; null: nothing is wanted now. */
  since: number | null
  timer: NodeJS.Timeout | undefined
}

/** Runs until the signal aborts; resolves once the running steps have ended. */
export async function runReconciler(
  reconciler: Reconciler,
  {
    bus,
    log,
    signal,
    reconcilerStats,
  }: { bus: ChangeBus; log: Log; signal: AbortSignal; reconcilerStats?: ReconcilerStats },
): Promise<void> {
  const slots = new Map<number, Slot>()
  const waiting: number[] = []
  const underWay = new Set<Promise<void>>()
  let sweeping = false
  /** Since when `due` fails, on the monotonic clock. */
  let dueFailsSince: number | null = null
  /** The rows to call `due` for once the present call has ended. */
  let next: Set<number> | 'all' | null = null

  const enqueue = (id: number): void => {
    if (signal.aborted) return
    const slot = slots.get(id) ?? { running: false, again: false, failures: 0, since: null, timer: undefined }
    slots.set(id, slot)
    slot.since ??= performance.now()
    if (slot.running) slot.again = true
    else if (!waiting.includes(id)) waiting.push(id)
    pump()
  }

  const later = (id: number, slot: Slot, pauseMs: number): void => {
    clearTimeout(slot.timer)
    slot.timer = setTimeout(() => {
      slot.timer = undefined
      enqueue(id)
    }, pauseMs)
    slot.timer.unref()
  }

  const runOne = async (id: number, slot: Slot): Promise<void> => {
    try {
      const outcome = await reconciler.reconcile(id, signal)
      slot.failures = 0
      slot.since = null
      if (outcome) later(id, slot, outcome.againInMs)
      else if (!slot.again) slots.delete(id)
    } catch (error) {
      if (signal.aborted) return
      slot.failures++
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (slot.failures - 1))
      log.warn({ err: error, reconciler: reconciler.name, id, failures: slot.failures, pause }, 'not yet')
      later(id, slot, pause)
    }
  }

  const pump = (): void => {
    while (underWay.size < reconciler.concurrency && waiting.length > 0 && !signal.aborted) {
      const id = waiting.shift()!
      const slot = slots.get(id)!
      clearTimeout(slot.timer)
      slot.timer = undefined
      slot.running = true
      slot.again = false
      const run = runOne(id, slot).finally(() => {
        underWay.delete(run)
        slot.running = false
        if (slot.again) enqueue(id)
        else pump()
      })
      underWay.add(run)
    }
  }

  const sweep = async (which: number | 'all'): Promise<void> => {
    next = which === 'all' || next === 'all' ? 'all' : (next ?? new Set()).add(which)
    if (sweeping) return
    sweeping = true
    try {
      while (next !== null && !signal.aborted) {
        const among = next === 'all' ? undefined : [...next]
        next = null
        for (const id of await reconciler.due(among)) {
          // A routine sweep does not shorten a pause after a failure.
          const slot = slots.get(id)
          if (!slot?.timer || slot.failures === 0) enqueue(id)
        }
        dueFailsSince = null
      }
    } catch (error) {
      dueFailsSince ??= performance.now()
      if (!signal.aborted) log.warn({ err: error, reconciler: reconciler.name }, 'cannot tell what is due')
    } finally {
      sweeping = false
    }
  }

  const unsubscribe = bus.subscribe((changeEvent) => {
    const woken = changeEvent === 'resync' ? 'all' : reconciler.wakes(changeEvent)
    if (woken === 'all') void sweep('all')
    else if (typeof woken === 'number') enqueue(woken)
    else if (woken !== null) void sweep(woken.perhaps)
  })
  const unwatch = reconcilerStats?.watch(() => {
    const now = performance.now()
    const oldest = [...slots.values()].reduce((first, { since }) => Math.min(first, since ?? now), dueFailsSince ?? now)
    return {
      name: reconciler.name,
      waiting: waiting.length,
      underWay: underWay.size,
      failing: [...slots.values()].filter(({ failures }) => failures > 0).length,
      lagSeconds: (now - oldest) / 1_000,
    }
  })
  const routine = setInterval(() => void sweep('all'), reconciler.everyMs)
  void sweep('all')

  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(routine)
  unsubscribe()
  unwatch?.()
  for (const slot of slots.values()) clearTimeout(slot.timer)
  await Promise.allSettled(underWay)
}
