/**
 * `/internal/errors`: error reports from the browser. They are forwarded to the configured project and nowhere else;
 * without one nothing leaves the machine. The envelope's own DSN is ignored, because the browser chose it.
 */
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../accounts/index.ts'
import { malformed } from '../kernel/problem.ts'
import type { Log } from '../platform/log.ts'

const MAX_ENVELOPE_BYTES = 200 * 1024
const FORWARD_DEADLINE_MS = 5_000
/** Anyone may report, and the project pays for its quota: beyond this, a visitor's reports are accepted and dropped. */
const FORWARDED_PER_MINUTE = 60

export function mountErrorTunnel(app: FastifyInstance, { dsn, log }: { dsn: string | undefined; log: Log }): void {
  const target = dsn === undefined ? null : envelopeAddress(dsn)
  const mayForward = minuteAllowance(FORWARDED_PER_MINUTE)
  void app.register((scope, _options, done) => {
    // Clients send varying content types; the first line shows whether the body is an envelope.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_ENVELOPE_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.post(
      '/internal/errors',
      { config: { endpoint: 'POST /internal/errors', impersonation: 'always' } },
      async (request, reply) => {
        const envelope = request.body
        if (!Buffer.isBuffer(envelope) || !startsWithJsonLine(envelope)) throw malformed('Send a Sentry envelope.')
        if (target && mayForward(networkOf(request.ip))) {
          // The browser does not wait for a third party's server.
          void fetch(target, {
            method: 'POST',
            headers: { 'content-type': 'application/x-sentry-envelope' },
            body: new Uint8Array(envelope),
            redirect: 'error',
            signal: AbortSignal.timeout(FORWARD_DEADLINE_MS),
          }).then(
            (answer) => void answer.body?.cancel(),
            (error: unknown) => log.warn({ err: error }, 'an error report could not be forwarded'),
          )
        }
        return reply.code(204).send()
      },
    )
    done()
  })
}

/** Allows so many per key and minute. The memory is cleared each minute. */
function minuteAllowance(most: number): (who: string) => boolean {
  const counts = new Map<string, number>()
  let minute = 0
  return (who) => {
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(who) ?? 0) + 1
    counts.set(who, count)
    return count <= most
  }
}

function startsWithJsonLine(envelope: Buffer): boolean {
  const end = envelope.indexOf('\n')
  try {
    const header: unknown = JSON.parse(envelope.subarray(0, end < 0 ? envelope.length : end).toString('utf8'))
    return typeof header === 'object' && header !== null && !Array.isArray(header)
  } catch {
    return false
  }
}

/** Turns `https://KEY@host/PROJECT` into `https://host/api/PROJECT/envelope/`. */
function envelopeAddress(dsn: string): URL {
  const { protocol, host, pathname, username } = new URL(dsn)
  const at = pathname.lastIndexOf('/')
  const target = new URL(`${protocol}//${host}${pathname.slice(0, at)}/api/${pathname.slice(at + 1)}/envelope/`)
  target.searchParams.set('sentry_key', username)
  target.searchParams.set('sentry_version', '7')
  return target
}
