/**
 * `GET /api/events`: one stream of the change events that this caller may see. It says that something changed; the
 * browser reads it again.
 */
import type { FastifyInstance } from 'fastify'
import { tooMany, unauthorized } from '../../kernel/problem.ts'
import { PUBLIC_TOPICS, type ChangeEvent, type ChangeBus } from '../events.ts'
import type { Log } from '../log.ts'
import { watchOpenAccess } from './open-access.ts'
import { openedBy, requireScope, type AuthenticateOpened, type OpenedBy, type Principal } from './principal.ts'

/**
 * After two missed heartbeats the portal shows that it is reconnecting; common proxies close a connection after 60 s of
 * silence.
 */
const HEARTBEAT_MS = 10_000
/** A browser with this much unread data is effectively gone. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** How far back a stream may ask for changes before it opened, and how many different ones are kept for that. */
const RECENT_MS = 60_000
const MAX_RECENT = 1_000

/** Streams of one user in this process: enough for many tabs, too few to exhaust the server. */
const MAX_STREAMS = 50

const EVENT_STREAM = 'text/event-stream; charset=utf-8'

export function mountEvents(
  app: FastifyInstance,
  {
    bus,
    log,
    authenticateOpened,
    heartbeatMs = HEARTBEAT_MS,
  }: { bus: ChangeBus; log: Log; authenticateOpened: AuthenticateOpened; heartbeatMs?: number },
): void {
  const streams = new Map<number, number>()
  const recent = createRecentChanges(bus)
  const access = watchOpenAccess<{ principal: Principal; by: OpenedBy }>({
    bus,
    log,
    concerns: ({ type, id }, { principal }) =>
      type === 'user' && (id === principal.userId || id === principal.impersonation?.staff.userId),
    // Also ends if the session now belongs to another user, or its role was revoked.
    mayContinue: async (open) => {
      const now = await authenticateOpened(open.map(({ by }) => by))
      return open.map(({ principal }, index) => samePermissions(now[index]!, principal))
    },
  })
  app.get('/api/events', { config: { endpoint: 'GET /api/events' } }, (request, reply) => {
    const { principal } = request
    if (!principal) throw unauthorized()
    const receivesAll = principal.isAdmin && !principal.lacksSecondFactor && !principal.isSuspended
    requireScope(principal, receivesAll ? 'staff:read' : 'account:read')
    if (request.method === 'HEAD') return void reply.header('cache-control', 'no-store').type(EVENT_STREAM).send()
    const others = streams.get(principal.userId) ?? 0
    if (others >= MAX_STREAMS) throw tooMany('You have too many open streams. Close some.', heartbeatMs / 1_000)
    reply.hijack()
    const { raw } = reply
    // It closed while the caller was authenticated: no close event would follow.
    if (raw.destroyed) return
    streams.set(principal.userId, others + 1)
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': EVENT_STREAM,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    // A write after the end would raise an uncaught error, and a browser that reads nothing never reaches the end.
    const write = (text: string): void => {
      if (raw.writableEnded || raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy()
      else raw.write(text)
    }
    const send = (changeEvent: ChangeEvent | 'resync'): void => {
      if (changeEvent === 'resync') write('event: resync\ndata: {}\n\n')
      else if (
        receivesAll ||
        PUBLIC_TOPICS.has(changeEvent.type) ||
        (changeEvent.accountId !== null && changeEvent.accountId === principal.accountId)
      ) {
        write(`event: news\ndata: ${JSON.stringify({ type: changeEvent.type, id: changeEvent.id })}\n\n`)
      }
    }
    write('retry: 1000\nevent: hello\ndata: {}\n\n')
    // The page's first reads may be older than this stream, so send what changed since it was opened.
    for (const changeEvent of recent.since(performance.now() - ageOf(request.query))) send(changeEvent)
    const unsubscribe = bus.subscribe(send)
    const heartbeat = setInterval(() => write('event: heartbeat\ndata: {}\n\n'), heartbeatMs)
    const forget = access.add({ principal, by: openedBy(principal, request.ip) }, () => raw.end())
    raw.once('close', () => {
      clearInterval(heartbeat)
      forget()
      unsubscribe()
      const left = streams.get(principal.userId)! - 1
      if (left > 0) streams.set(principal.userId, left)
      else streams.delete(principal.userId)
    })
  })
}

/** Milliseconds since the page was opened; an absolute time would depend on the browser's clock. */
function ageOf(query: unknown): number {
  const age = Number((query as { age?: unknown }).age)
  return age > 0 ? Math.min(age, RECENT_MS) : 0
}

/** Keeps the latest change of each object. */
function createRecentChanges(bus: ChangeBus) {
  const latest = new Map<string, { readonly changeEvent: ChangeEvent | 'resync'; readonly at: number }>()
  /** The time of the last dropped change: a stream that asks for an earlier time reads everything again. */
  let overflowedAt = -Infinity
  bus.subscribe((changeEvent) => {
    const at = performance.now()
    const key = JSON.stringify(changeEvent)
    // Move it behind the others, as the latest.
    latest.delete(key)
    latest.set(key, { changeEvent, at })
    for (const [oldest, { at: then }] of latest) {
      if (at - then <= RECENT_MS && latest.size <= MAX_RECENT) break
      if (at - then <= RECENT_MS) overflowedAt = then
      latest.delete(oldest)
    }
  })
  return {
    since: (time: number): readonly (ChangeEvent | 'resync')[] =>
      overflowedAt > time
        ? ['resync']
        : [...latest.values()].filter(({ at }) => at > time).map(({ changeEvent }) => changeEvent),
  }
}

const samePermissions = (now: Principal | null, then: Principal): boolean =>
  now?.userId === then.userId &&
  now.accountId === then.accountId &&
  now.isAdmin === then.isAdmin &&
  now.lacksSecondFactor === then.lacksSecondFactor &&
  now.isSuspended === then.isSuspended
