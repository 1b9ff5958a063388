/** W3C Trace Context, level 1: `00-<trace>-<parent>-<flags>`. Anything else is ignored. */

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

export function readTraceParent(header: string | string[] | undefined): TraceParent | null {
  const [, traceId, spanId, flags] = (typeof header === 'string' && FORM.exec(header)) || []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export const writeTraceParent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
