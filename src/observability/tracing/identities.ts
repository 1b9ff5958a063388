/**
 * Which trace and span a step is, told before any span exists: a call to the outside carries it while the step still
 * runs. A request's trace has its id from the request, so the log, the answer and the trace name the same thing.
 */
import { randomBytes } from 'node:crypto'
import type { Trace, TraceStep } from '../../platform/trace.ts'
import type { TraceParent } from './traceparent.ts'

const parents = new WeakMap<TraceStep, TraceParent>()
const spanIds = new WeakMap<TraceStep, string>()

/** The trace goes on in somebody else's. */
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
