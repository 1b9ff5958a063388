import { isReportable } from './error-catalogue.ts'

/** Collects our faults. The error service loads after the first paint: earlier faults wait for it. */
export interface ReportContext {
  /** The GraphQL operation or the part of the portal that failed. */
  readonly operation?: string
}

type Sink = (error: unknown, context: ReportContext) => void

/** Enough to explain a broken start, few enough if no sink ever comes. */
const MOST_WAITING = 20

let sink: Sink | null = null
const waiting: [unknown, ReportContext][] = []

/**
 * A failure passes through several handlers (link, route, section): the first, which knows its operation, reports it.
 */
const reported = new WeakSet<object>()

export function reportError(error: unknown, context: ReportContext = {}): void {
  if (!isReportable(error)) return
  if (typeof error === 'object' && error !== null) {
    if (reported.has(error)) return
    reported.add(error)
  }
  if (sink) sink(error, context)
  else if (waiting.length < MOST_WAITING) waiting.push([error, context])
}

/** Installs the error service and passes it the waiting reports. */
export function sendReportsTo(next: Sink): void {
  sink = next
  for (const [error, context] of waiting.splice(0)) next(error, context)
}
