/** `GET /api/consoles/{serial,display}?ticket=…`: WebSockets, outside the contract because they answer no JSON. */
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { conflict, forbidden, malformed, notFound, unauthorized } from '../../kernel/problem.ts'
import type { RoutersDeps } from '../deps.ts'
import { findOwnRouter } from '../queries.ts'
import { isAllowed } from '../states.ts'
import { stateOf } from '../view.ts'
import { bridge } from './bridge.ts'
import { openHostStream } from './host-stream.ts'
import { openMachineStream } from './machine-stream.ts'
import { demandSignsOfLife } from './signs-of-life.ts'
import { streamOf } from './socket-stream.ts'
import { redeemTicket, type ConsoleKind, type Ticket } from './tickets.ts'

/** How long a session or a token that ended, or a router that changed hands, can still type. */
const RECHECK_MS = 60_000
const INTERNAL_ERROR = 1011

type ConsoleDeps = Pick<
  RoutersDeps,
  'db' | 'clock' | 'log' | 'bus' | 'config' | 'hypervisors' | 'secretKey' | 'authenticate'
>

declare module 'fastify' {
  interface FastifyRequest {
    consoleTicket?: Ticket
  }
}

/** The address that a ticket opens, as the caller can reach it. */
export function consoleUrl(
  request: FastifyRequest,
  config: ConsoleDeps['config'],
  kind: ConsoleKind,
  secret: string,
): string {
  const base = config.PUBLIC_URL ?? `${request.protocol}://${request.host}`
  return `${base.replace(/^http/, 'ws')}/api/consoles/${kind}?ticket=${secret}`
}

export function mountConsoles(app: FastifyInstance, deps: ConsoleDeps): void {
  for (const kind of ['serial', 'display'] as const) {
    app.route({
      method: 'GET',
      url: `/api/consoles/${kind}`,
      config: { endpoint: `GET /api/consoles/${kind}` },
      // Refused with a status of HTTP, while there still is one.
      preValidation: (request) => admit(request, kind, deps),
      handler: () => {
        throw malformed('This address speaks WebSocket alone.')
      },
      wsHandler: (socket, request) => void serve(socket, request, kind, deps),
    })
  }
}

async function admit(request: FastifyRequest, kind: ConsoleKind, deps: ConsoleDeps): Promise<void> {
  refuseForeignOrigin(request, deps.config)
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return
  const { ticket: secret } = request.query as { ticket?: unknown }
  const ticket =
    typeof secret === 'string' && /^[\w-]{43}$/.test(secret)
      ? await redeemTicket(deps.db, secret, kind, deps.clock.now())
      : null
  if (!ticket) throw unauthorized('This console address was used, or is older than 30 seconds: open the console again.')
  // The address alone opens it, for programs that hold no cookies; in the browser of somebody else it does not.
  const { principal } = request
  if (principal && principal.userId !== ticket.userId) throw unauthorized()
  if (!(await isInForce(ticket, request.ip, deps))) throw unauthorized()
  if (!(await hasConsole(ticket, kind, deps))) throw conflict('The router has no console to show in this state.')
  request.consoleTicket = ticket
}

/** Only browsers send an Origin, and only they can be made to connect by somebody else's page (RFC 6455 section 10.2). */
function refuseForeignOrigin(request: FastifyRequest, config: ConsoleDeps['config']): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const own = [
    `${request.protocol}://${request.host}`,
    ...(config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).origin] : []),
  ]
  if (!own.includes(origin)) throw forbidden('Consoles open from the portal alone.')
}

/** Whether the session or the token that asked for the console still may, from where it is now. */
async function isInForce({ userId, sessionId, tokenId }: Ticket, ip: string, deps: ConsoleDeps): Promise<boolean> {
  const principal = await deps.authenticate({
    sessionToken: null,
    bearer: null,
    ip,
    ...(sessionId !== null && { sessionId }),
    ...(tokenId !== null && { tokenId }),
  })
  return principal?.userId === userId && principal.asnVerifiedAt !== null
}

async function hasConsole(ticket: Ticket, kind: ConsoleKind, deps: ConsoleDeps): Promise<boolean> {
  const row = await findOwnRouter(deps.db, ticket.userId, ticket.routerId)
  return row !== undefined && isAllowed(kind, stateOf(row))
}

async function serve(socket: WebSocket, request: FastifyRequest, kind: ConsoleKind, deps: ConsoleDeps): Promise<void> {
  const ticket = request.consoleTicket!
  // At once: what the browser says before anybody listens would be lost.
  const browser = streamOf(socket)
  demandSignsOfLife(socket)
  const over = new AbortController()
  const recheck = (): void => {
    void Promise.all([isInForce(ticket, request.ip, deps), hasConsole(ticket, kind, deps)]).then(
      (may) => may.every(Boolean) || over.abort(),
      // A database that does not answer is no reason to throw everybody out of their consoles.
      (error: unknown) => deps.log.warn({ err: error }, 'cannot tell whether a console may go on'),
    )
  }
  const timer = setInterval(recheck, RECHECK_MS)
  const unsubscribe = deps.bus.subscribe((news) => {
    if (news !== 'resync' && news.type === 'router' && news.id === ticket.routerId) recheck()
  })
  try {
    const gone = AbortSignal.any([over.signal, closing(socket)])
    await bridge(socket, browser, await openStream(ticket, kind, deps, gone), over.signal)
  } catch (error) {
    deps.log.warn({ err: error, router: ticket.routerId, kind }, 'a console did not open')
    socket.close(INTERNAL_ERROR, 'the console cannot be opened now')
    browser.destroy()
  } finally {
    clearInterval(timer)
    unsubscribe()
  }
}

/** From the driver where this process has it, else by way of the process that does. */
async function openStream(ticket: Ticket, kind: ConsoleKind, deps: ConsoleDeps, signal: AbortSignal): Promise<Duplex> {
  const row = await findOwnRouter(deps.db, ticket.userId, ticket.routerId)
  if (!row) throw notFound()
  const hypervisor = deps.hypervisors.get(row.hypervisor_slug)
  return hypervisor
    ? openMachineStream(hypervisor, row.uuid, kind, signal)
    : openHostStream(deps, row.hypervisor_slug, row.uuid, kind, signal)
}

function closing(socket: WebSocket): AbortSignal {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  return gone.signal
}
