/**
 * The steps of a request. AsyncLocalStorage carries them, so that a query several calls down belongs to the right
 * request. Switched off it costs one lookup, switched on a few microseconds for each step. `observability/` keeps and
 * shows the traces.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface TraceStep {
  readonly name: string
  /** Milliseconds since the request began. */
  readonly startedAt: number
  duration: number
  readonly children: TraceStep[]
}

export interface TraceQuery {
  readonly startedAt: number
  readonly duration: number
  /** SQL with placeholders; values never enter a trace. */
  readonly sql: string
}

export interface Trace {
  readonly id: string
  readonly began: number
  readonly root: TraceStep
  readonly queries: TraceQuery[]
  current: TraceStep
}

const storage = new AsyncLocalStorage<Trace>()

/** A trace stops growing here: a runaway loop must not fill the memory. */
const MAX_STEPS = 500

export function beginTrace(id: string, name: string): Trace {
  const root: TraceStep = { name, startedAt: 0, duration: 0, children: [] }
  return { id, began: performance.now(), root, queries: [], current: root }
}

export const withTrace = <T>(trace: Trace, run: () => T): T => storage.run(trace, run)

/** Returns the trace of the current request or step; undefined if none is recorded. */
export const currentTrace = (): Trace | undefined => storage.getStore()

/** Times a step and records it below the current one. */
export async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const trace = storage.getStore()
  if (!trace || trace.current.children.length >= MAX_STEPS) return run()
  const began = performance.now()
  const entry: TraceStep = { name, startedAt: began - trace.began, duration: 0, children: [] }
  trace.current.children.push(entry)
  // A separate branch, so that parallel steps do not nest into each other.
  const branch: Trace = { ...trace, current: entry }
  try {
    return await storage.run(branch, run)
  } finally {
    entry.duration = performance.now() - began
  }
}

export function recordQuery(sql: string, durationMs: number): void {
  const trace = storage.getStore()
  if (!trace || trace.queries.length >= MAX_STEPS) return
  trace.queries.push({ startedAt: performance.now() - trace.began - durationMs, duration: durationMs, sql })
}
