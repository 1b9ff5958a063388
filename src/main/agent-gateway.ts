/**
 * Accepts the connections of hypervisor and edge agents to this process. The key in a connection's certificate
 * identifies its agent; nothing that the agent says does. See docs/decisions/0034-agents.md.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { enrolAgent, findAcceptedAgent, noteConnected, noteDisconnected, readAuthority } from '../accounts/index.ts'
import { Link } from '../drivers/agent/link.ts'
import { listenForAgents, type AgentListener } from '../drivers/agent/listen.ts'
import { EDGE_METHODS, HYPERVISOR_METHODS, type Hello } from '../drivers/agent/protocol.ts'
import { createRemoteEdge } from '../drivers/agent/remote-edge.ts'
import { createRemoteHypervisor } from '../drivers/agent/remote-hypervisor.ts'
import { createBirdEdge } from '../drivers/edge/bird/index.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import { createOpenbgpdEdge } from '../drivers/edge/openbgpd/index.ts'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { ConfigError, type Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import { publish, type ChangeBus } from '../platform/events.ts'
import { leaseKey, recordWaiting, type AgentsTable } from '../platform/leases/agent-lease.ts'
import type { AgentHandle } from '../platform/leases/agent.ts'
import { currentLease } from '../platform/leases/context.ts'
import type { Log } from '../platform/log.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import type { EdgeAgents, Traced } from './edge-agents.ts'
import type { HypervisorAgents, HypervisorReconcilers } from './hypervisor-agents.ts'

const NOTE_EVERY_MS = 5_000
const LAST_WORD_MS = 500

export interface AgentGatewayDeps {
  readonly config: Pick<Config, 'AGENT_LISTEN' | 'ROLE'>
  readonly database: Database
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly hypervisors: HypervisorAgents
  readonly edges: EdgeAgents
}

export interface AgentGateway {
  start(reconcilers: HypervisorReconcilers, traced: Traced): Promise<void>
  close(): Promise<void>
}

type Agent = NonNullable<Awaited<ReturnType<typeof findAcceptedAgent>>>

interface Connection {
  readonly link: Link<typeof HYPERVISOR_METHODS> | Link<typeof EDGE_METHODS>
  /** Checks now whether its key is still accepted. */
  check(): void
  /** Lets the work end in order, then closes the connection. */
  readonly end: AbortController
  readonly ended: Promise<void>
}

export function createAgentGateway(options: AgentGatewayDeps): AgentGateway {
  const { config, database, operatorAsn, secretKey, clock, log, bus, hypervisors, edges } = options
  const { db } = database
  const connections = new Map<number, Connection>()
  const closing = new AbortController()
  let listener: AgentListener | undefined
  let unsubscribe: (() => void) | undefined

  const connect = async (
    socket: TLSSocket,
    agent: Agent,
    drive: (hello: Hello, link: Connection['link']) => Promise<AgentHandle>,
  ): Promise<void> => {
    const table: AgentsTable = agent.kind === 'hypervisor' ? 'hypervisor_agents' : 'transit_edge_agents'
    const key = leaseKey(table, agent.slug)
    const lease = () => {
      const held = currentLease()
      return held?.key === key && held.isHeld() ? { epoch: held.epoch, leftMs: held.leftMs() } : null
    }
    const link =
      agent.kind === 'hypervisor' ? new Link(socket, HYPERVISOR_METHODS, lease) : new Link(socket, EDGE_METHODS, lease)
    const end = new AbortController()
    const ended = Promise.withResolvers<void>()
    const since = clock.now()
    let release: string | null = null
    let noted: Promise<unknown> = Promise.resolve()
    const check = (): void =>
      void (noted = noteConnected(db, agent.id, { since, release }).then(
        (accepted) => accepted || link.close(),
        (error: unknown) => log.warn({ err: error, ...agent }, 'it could not be noted that an agent is connected'),
      ))
    const former = connections.get(agent.id)
    connections.set(agent.id, { link, check, end, ended: ended.promise })
    const noting = setInterval(check, NOTE_EVERY_MS)
    try {
      // One of the two is the host before its link broke, or a copy of its key: the later one is driven.
      former?.link.close()
      await former?.ended
      const hello = await askHello(link)
      release = hello.release
      check()
      const problem = explainHello(agent, hello, operatorAsn)
      if (problem !== null) {
        log.warn({ ...agent, problem }, 'an agent is not driven')
        await recordWaiting(db, table, agent.slug, problem)
        return
      }
      log.info({ ...agent, release }, 'an agent connected')
      await publish(db, { type: 'agent', id: agent.id, accountId: null })
      const handle = await drive(hello, link)
      try {
        const over = AbortSignal.any([link.closed, end.signal])
        if (!over.aborted) await once(over, 'abort')
        // So that the watch of its machines can still write, under the lease, that their state is no longer known.
        if (!end.signal.aborted) await sleep(LAST_WORD_MS)
      } finally {
        await handle.close()
      }
      log.info(agent, 'an agent is not connected any more')
    } finally {
      clearInterval(noting)
      link.close()
      // Before the end of the link is recorded: that change event makes agents' connections be checked, which would
      // record it again.
      if (connections.get(agent.id)?.link === link) connections.delete(agent.id)
      await noted
      await noteDisconnected(db, agent.id, since).catch((error: unknown) =>
        log.warn({ err: error, ...agent }, 'it could not be noted that an agent is not connected any more'),
      )
      ended.resolve()
    }
  }

  return {
    async start(reconcilers, traced) {
      if (config.AGENT_LISTEN === undefined || config.ROLE === 'web') return
      const drive = (agent: Agent) => (hello: Hello, link: Connection['link']) =>
        agent.kind === 'hypervisor'
          ? hypervisors.drive(
              {
                slug: agent.slug,
                driver: createRemoteHypervisor(
                  hello.kind as 'libvirt' | 'simulated',
                  link as Link<typeof HYPERVISOR_METHODS>,
                ),
                installation: hello.installation!,
                replaces: false,
              },
              reconcilers,
            )
          : edges.drive(
              {
                slug: agent.slug,
                driver: remoteEdge(hello, link as Link<typeof EDGE_METHODS>),
                why: hello.why,
                routerId: hello.routerId!,
              },
              traced,
            )
      unsubscribe = bus.subscribe((event) => {
        if (event !== 'resync' && event.type !== 'agent') return
        for (const [id, connection] of connections) if (event === 'resync' || event.id === id) connection.check()
      })
      listener = await listenForAgents({
        ...config.AGENT_LISTEN,
        authority: await readAuthority(db, secretKey),
        enrol: (request) => enrolAgent({ secretKey, clock }, db, request),
        onAgent: async (key, socket) => {
          const agent = await findAcceptedAgent(db, key)
          if (!agent || closing.signal.aborted) return void socket.destroy()
          await connect(socket, agent, drive(agent))
        },
        onError: (error) => log.warn({ err: error }, 'a connection of an agent failed'),
      }).catch((error: unknown) => {
        throw new ConfigError(`AGENT_LISTEN: cannot listen there (${(error as NodeJS.ErrnoException).code})`)
      })
      log.info({ port: listener.port }, 'takes connections of agents')
    },
    async close() {
      closing.abort()
      unsubscribe?.()
      const all = [...connections.values()]
      for (const { end } of all) end.abort()
      await Promise.all(all.map(({ ended }) => ended))
      await listener?.close()
    },
  }

  function remoteEdge({ kind }: Hello, link: Link<typeof EDGE_METHODS>): EdgeDriver {
    // Neither driver connects to a router to compute its digests.
    const nowhere = { socket: '', directory: '', config: '', localAsn: operatorAsn }
    const local =
      kind === 'bird'
        ? createBirdEdge(nowhere)
        : kind === 'openbgpd'
          ? createOpenbgpdEdge(nowhere)
          : createSimulatedEdge({})
    return createRemoteEdge(local.kind, local, link)
  }
}

const askHello = (link: Connection['link']): Promise<Hello> => (link as Link<typeof EDGE_METHODS>).call('hello', {})

/** Returns why an agent that sends this hello is not driven, or null if it is. */
function explainHello({ kind, slug }: Agent, hello: Hello, operatorAsn: number): string | null {
  if (hello.kind !== 'simulated' && (hello.kind === 'libvirt') === (kind === 'edge'))
    return `The agent of ${slug} drives ${hello.kind}, and was enrolled for ${kind === 'edge' ? 'an edge' : 'a hypervisor'}.`
  if (kind === 'hypervisor') return hello.installation === null ? `The agent of ${slug} names no installation.` : null
  if (hello.routerId === null) return `The agent of ${slug} names no BGP identifier.`
  if (hello.operatorAsn !== operatorAsn)
    return `OPERATOR_ASN of the agent of ${slug} is ${hello.operatorAsn}, and that of the portal is ${operatorAsn}.`
  return null
}
