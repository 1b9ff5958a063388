/**
 * Sends our faults through the server's own tunnel, as Sentry envelopes
 * (https://develop.sentry.dev/sdk/foundations/transport/envelopes/). No third-party script runs, and nothing leaves the
 * operator's machine unless a project is configured there.
 */
import { apiFetch } from './client.ts'
import { release } from './page-settings.ts'
import type { ReportContext } from './report-error.ts'

const TUNNEL = '/internal/errors'
/**
 * A fault that repeats with every frame must not flood the service: one report of each per period, and a limit on all.
 */
const PERIOD_MS = 60_000
const MOST = 20
const LINE = /^\s*(?:at (?:(?<chromium>.+?) )?\(?|(?<gecko>[^@]*)@)(?<file>\S+?):(?<line>\d+):(?<column>\d+)\)?$/

const sent = new Set<string>()

export function sendReport(error: unknown, context: ReportContext): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const same = `${name} ${message} ${context.operation ?? ''}`
  if (sent.has(same) || sent.size >= MOST) return
  sent.add(same)
  setTimeout(() => sent.delete(same), PERIOD_MS)
  const id = crypto.randomUUID().replaceAll('-', '')
  const event = {
    event_id: id,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    release,
    // Without its query: links in emails carry their secret there.
    request: { url: location.origin + location.pathname, headers: { 'User-Agent': navigator.userAgent } },
    tags: context.operation === undefined ? {} : { operation: context.operation },
    exception: { values: [{ type: name, value: message, stacktrace: { frames: framesOf(stack ?? '') } }] },
  }
  const envelope = [{ event_id: id, sent_at: new Date().toISOString() }, { type: 'event' }, event]
  const body = envelope.map((part) => JSON.stringify(part)).join('\n')
  // A report that cannot be sent is dropped: reporting that would be a second fault.
  apiFetch(TUNNEL, { method: 'POST', headers: { 'content-type': 'text/plain' }, body }).catch(() => undefined)
}

/** The innermost call comes last, as the protocol requires. */
function framesOf(stack: string): object[] {
  return stack
    .split('\n')
    .map((line) => LINE.exec(line)?.groups)
    .filter((frame) => frame !== undefined)
    .map((frame) => ({
      function: frame['chromium'] ?? frame['gecko'] ?? '?',
      filename: frame['file'],
      lineno: Number(frame['line']),
      colno: Number(frame['column']),
      in_app: true,
    }))
    .toReversed()
}
