import { isReportable } from './error-catalogue.ts'

/** Where faults of ours go. The error service is loaded after the first paint: what happens earlier waits for it. */
export interface ReportContext {
  /** The GraphQL operation or the part of the portal that failed. */
  readonly operation?: string
}

type Sink = (error: unknown, context: ReportContext) => void

/** Enough to explain a broken start, too few to matter when no sink ever comes. */
const MOST_WAITING = 20

let sink: Sink | null = null
const waiting: [unknown, ReportContext][] = []

/** A failure passes through several hands (link, route, part): it is reported by the first, who knows its operation. */
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

/** Installs the error service and hands it what has waited. */
export function sendReportsTo(next: Sink): void {
  sink = next
  for (const [error, context] of waiting.splice(0)) next(error, context)
}
