/** `GET /api/consoles/{serial,display}?ticket=…`: WebSockets, outside the contract because they answer no JSON. */
import type { AccountId } from '../../kernel/ids.ts'
import { isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { conflict, forbidden, malformed, notFound, unauthorized } from '../../kernel/problem.ts'
import { watchOpenAccess, type OpenAccess } from '../../platform/http/open-access.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { RoutersDeps } from '../deps.ts'
import { anyRouters, findOwnRouter, findRouter, type RouterRow } from '../queries.ts'
import { isAllowed } from '../states.ts'
import { stateOf } from '../view.ts'
import { bridge } from './bridge.ts'
import { openAgentStream } from './agent-stream.ts'
import { openMachineStream } from './machine-stream.ts'
import { requireHeartbeat } from './heartbeat.ts'
import { streamOf } from './socket-stream.ts'
import { redeemTicket, type ConsoleKind, type Ticket } from './tickets.ts'

const INTERNAL_ERROR = 1011

type ConsoleDeps = Pick<
  RoutersDeps,
  'db' | 'clock' | 'log' | 'bus' | 'config' | 'hypervisors' | 'secretKey' | 'authenticateOpened'
>

declare module 'fastify' {
  interface FastifyRequest {
    openConsole?: OpenConsole
  }
}

/** A redeemed ticket and where it was used from. */
interface OpenConsole extends Ticket {
  readonly accountId: AccountId
  readonly kind: ConsoleKind
  readonly ip: string
}

/** Returns the address that a ticket opens, as the caller can reach it. */
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
  const access = watchOpenAccess<OpenConsole>({
    bus: deps.bus,
    log: deps.log,
    concerns: ({ type, id }, console) =>
      (type === 'router' && id === console.routerId) || (type === 'user' && id === console.userId),
    mayContinue: async (consoles) => {
      const [principals, rows] = await Promise.all([
        deps.authenticateOpened(consoles),
        anyRouters(deps.db, { ids: consoles.map(({ routerId }) => routerId) }),
      ])
      const rowOf = new Map(rows.map((row) => [row.id, row]))
      return consoles.map(
        (console, index) =>
          isHolder(principals[index]!, console) && hasConsole(rowOf.get(console.routerId), console.accountId, console),
      )
    },
  })
  for (const kind of ['serial', 'display'] as const) {
    app.route({
      method: 'GET',
      url: `/api/consoles/${kind}`,
      config: { endpoint: `GET /api/consoles/${kind}` },
      // Rejected with an HTTP status while there still is one.
      preValidation: (request) => admit(request, kind, deps),
      handler: () => {
        throw malformed('This address speaks WebSocket alone.')
      },
      wsHandler: (socket, request) => void serve(socket, request.openConsole!, access, deps),
    })
  }
}

async function admit(request: FastifyRequest, kind: ConsoleKind, deps: ConsoleDeps): Promise<void> {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return
  requireOwnOrigin(request, deps.config)
  const { ticket: secret } = request.query as { ticket?: unknown }
  const ticket =
    typeof secret === 'string' && /^[\w-]{43}$/.test(secret)
      ? await redeemTicket(deps.db, secret, { kind, sessionId: request.principal?.sessionId ?? null }, deps.clock.now())
      : null
  if (!ticket)
    throw unauthorized(
      'This console address was used or is older than 30 seconds, or the cookie of its session is missing: open the console again.',
      'invalid_ticket',
    )
  // The address alone opens it for programs with an API token, which have no cookies, but not in another user's
  // browser.
  const { principal } = request
  if (principal && principal.userId !== ticket.userId) throw unauthorized()
  const console = { ...ticket, kind, ip: request.ip }
  const [holder = null] = await deps.authenticateOpened([console])
  if (!isHolder(holder, console)) throw unauthorized()
  const row = await findRouter(deps.db, console.routerId)
  if (!hasConsole(row, holder.accountId, console)) throw conflict('The router has no console to show in this state.')
  request.openConsole = { ...console, accountId: holder.accountId }
}

/**
 * A page of another site must not open a console (RFC 6455 section 10.2). Browsers always send an Origin and programs
 * need not (section 4.1). So a missing one is accepted, and any other than the portal's own is not. The Host header
 * proves nothing: a page that uses DNS rebinding sends its own name in both.
 */
function requireOwnOrigin(request: FastifyRequest, config: ConsoleDeps['config']): void {
  const own = config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).origin] : listeningOrigins(request.socket)
  const { origin } = request.headers
  if (origin === undefined || own.includes(origin)) return
  throw forbidden(`Consoles open only from the portal (${own[0]}).`, 'origin_not_allowed')
}

/** Returns the address that the browser connected to, and this machine's names for itself. */
function listeningOrigins({ localAddress = '', localPort }: Socket): string[] {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '')
  const literal = isIPv6(address) ? `[${address}]` : address
  return [literal, 'localhost', '127.0.0.1', '[::1]'].flatMap(
    (host) => URL.parse(`http://${host}:${localPort}`)?.origin ?? [],
  )
}

/** Returns whether the session or token that asked for the console is still valid and its user may open consoles. */
const isHolder = (principal: Principal | null, { userId }: Pick<OpenConsole, 'userId'>): principal is Principal =>
  principal?.userId === userId && principal.asnVerifiedAt !== null

const hasConsole = (row: RouterRow | undefined, accountId: AccountId, { kind }: Pick<OpenConsole, 'kind'>): boolean =>
  row?.account_id === accountId && !row.suspended && isAllowed(kind, stateOf(row))

async function serve(
  socket: WebSocket,
  console: OpenConsole,
  access: OpenAccess<OpenConsole>,
  deps: ConsoleDeps,
): Promise<void> {
  // Attached at once: what the browser sends before a listener exists would be lost.
  const browser = streamOf(socket)
  requireHeartbeat(socket)
  const over = new AbortController()
  const forget = access.add(console, () => over.abort())
  try {
    const gone = AbortSignal.any([over.signal, closing(socket)])
    await bridge(socket, browser, await openStream(console, deps, gone), over.signal)
  } catch (error) {
    deps.log.warn({ err: error, router: console.routerId, kind: console.kind }, 'a console did not open')
    socket.close(INTERNAL_ERROR, 'the console cannot be opened now')
    browser.destroy()
  } finally {
    forget()
  }
}

/** Opens it from this process's driver if it has one, else through the process that does. */
async function openStream(
  { accountId, routerId, kind }: OpenConsole,
  deps: ConsoleDeps,
  signal: AbortSignal,
): Promise<Duplex> {
  const row = await findOwnRouter(deps.db, accountId, routerId)
  if (!row) throw notFound()
  const hypervisor = deps.hypervisors.get(row.hypervisor_slug)
  return hypervisor
    ? openMachineStream(hypervisor, row.uuid, kind, signal)
    : openAgentStream(deps, row.hypervisor_slug, row.uuid, kind, signal)
}

function closing(socket: WebSocket): AbortSignal {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  return gone.signal
}
