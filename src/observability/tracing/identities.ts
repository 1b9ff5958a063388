/**
 * Assigns the trace and span ids of a step before its span exists: an outgoing call carries them while the step still
 * runs. A request's trace id is derived from the request id, so the log, the response and the trace name the same
 * request.
 */
import { randomBytes } from 'node:crypto'
import type { Trace, TraceStep } from '../../platform/trace.ts'
import type { TraceParent } from './traceparent.ts'

const parents = new WeakMap<TraceStep, TraceParent>()
const spanIds = new WeakMap<TraceStep, string>()

/** Continues the trace of the caller. */
export const adopt = ({ root }: Trace, parent: TraceParent): void => void parents.set(root, parent)
export const parentOf = ({ root }: Trace): TraceParent | null => parents.get(root) ?? null

export const traceIdOf = (trace: Trace): string =>
  parents.get(trace.root)?.traceId ?? trace.id.replaceAll('-', '').padStart(32, '0').slice(-32)

export function spanIdOf(step: TraceStep): string {
  const known = spanIds.get(step)
  if (known) return known
  const fresh = randomBytes(8).toString('hex')
  spanIds.set(step, fresh)
  return fresh
}
