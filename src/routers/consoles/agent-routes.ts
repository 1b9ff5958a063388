/** Hands consoles of the machines that this process drives to other processes of the portal. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { notFound, unauthorized } from '../../kernel/problem.ts'
import type { RoutersDeps } from '../deps.ts'
import { bridge } from './bridge.ts'
import { AGENT_CONSOLES } from './agent-stream.ts'
import { createAgentTickets } from './agent-tickets.ts'
import { openMachineStream } from './machine-stream.ts'
import { requireHeartbeat } from './heartbeat.ts'
import { streamOf } from './socket-stream.ts'
import type { ConsoleKind } from './tickets.ts'

const INTERNAL_ERROR = 1011

export interface AgentConsoleDeps extends Pick<RoutersDeps, 'clock' | 'log' | 'hypervisors' | 'secretKey'> {
  /** Returns the epoch of the lease by which this process drives a hypervisor; null while it does not. */
  readonly term: (hypervisor: string) => string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The machine whose console was authorized. */
    consoleMachine?: { readonly hypervisor: string; readonly machine: string }
  }
}

export function mountAgentConsoles(app: FastifyInstance, deps: AgentConsoleDeps): void {
  const tickets = createAgentTickets(deps.secretKey)
  for (const kind of ['serial', 'display'] as const) {
    app.route({
      method: 'GET',
      url: `${AGENT_CONSOLES}/${kind}`,
      config: { endpoint: `GET ${AGENT_CONSOLES}/${kind}`, unauthenticated: true },
      preValidation: (request, _reply, done) => {
        if (request.headers.upgrade?.toLowerCase() !== 'websocket') throw notFound()
        const [, ticket] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
        const machine = ticket ? tickets.redeem(ticket, { kind, term: deps.term }, deps.clock.now()) : null
        if (!machine)
          throw unauthorized('No valid ticket: do the clocks of the hosts agree, and have they one SECRET_KEY?')
        request.consoleMachine = machine
        done()
      },
      handler: () => {
        throw notFound()
      },
      wsHandler: (socket, request) => void serve(socket, request, kind, deps),
    })
  }
}

async function serve(socket: WebSocket, request: FastifyRequest, kind: ConsoleKind, deps: AgentConsoleDeps) {
  const portal = streamOf(socket)
  requireHeartbeat(socket)
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const { hypervisor: slug, machine } = request.consoleMachine!
  try {
    const hypervisor = deps.hypervisors.get(slug)
    if (!hypervisor) throw new Error('this process no longer manages its hypervisor')
    await bridge(socket, portal, await openMachineStream(hypervisor, machine, kind, gone.signal), gone.signal)
  } catch (error) {
    deps.log.warn({ err: error, machine, kind }, 'a console did not open')
    socket.close(INTERNAL_ERROR, 'the console cannot be opened now')
    portal.destroy()
  }
}
