/**
 * What a process does that drives hypervisors, its own or those of agents: the reconcilers of their routers, and their
 * consoles.
 */
import type { SecretKey } from '../platform/secret-key.ts'
import type { FastifyInstance } from 'fastify'
import { hostname } from 'node:os'
import type { AddressInfo } from 'node:net'
import type { Chosen } from '../agent/choose-drivers.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import { readInstallation } from '../platform/installation.ts'
import type { AgentHandle } from '../platform/leases/agent.ts'
import type { ChangeBus } from '../platform/events.ts'
import { guardDriver } from '../platform/leases/index.ts'
import type { Log } from '../platform/log.ts'
import type { ReconcilerStats, Reconciler } from '../platform/reconcile.ts'
import { runHypervisorAgent, mountAgentConsoles } from '../routers/index.ts'

export interface HypervisorAgentsDeps {
  readonly config: Pick<Config, 'DATA_DIR' | 'HOST' | 'AGENT_URL' | 'ROLE' | 'hypervisorSlug'>
  readonly database: Database
  /** The hypervisor of this machine; null if this process drives none. */
  readonly hypervisor: Chosen<Hypervisor> | null
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly reconcilerStats: ReconcilerStats
}

/** Builds reconcilers for the hypervisors in the map, which refuse every call without a lease. */
export type HypervisorReconcilers = (guarded: ReadonlyMap<string, Hypervisor>) => readonly Reconciler[]

export interface DrivenHypervisor {
  readonly slug: string
  readonly driver: Hypervisor
  readonly installation: string
  /** Whether it may take over a slug without routers from another installation. */
  readonly replaces: boolean
}

export interface HypervisorAgents {
  /** The hypervisors that this process drives now, by slug; its own is present from the start. */
  readonly leased: ReadonlyMap<string, Hypervisor>
  /** Drives it whenever no other process does, until the handle is closed. */
  drive(hypervisor: DrivenHypervisor, reconcilers: HypervisorReconcilers): Promise<AgentHandle>
  start(reconcilers: HypervisorReconcilers): Promise<void>
  close(): Promise<void>
}

export function createHypervisorAgents(app: FastifyInstance, options: HypervisorAgentsDeps): HypervisorAgents {
  const { config, database, hypervisor, log } = options
  const own = config.hypervisorSlug
  const leased = new Map<string, Hypervisor>(own !== null && hypervisor ? [[own, hypervisor.driver]] : [])
  const handles = new Map<string, AgentHandle>()
  if (config.ROLE !== 'web')
    mountAgentConsoles(app, { ...options, hypervisors: leased, term: (slug) => handles.get(slug)?.term() ?? null })

  const drive: HypervisorAgents['drive'] = async ({ slug, driver, ...lease }, reconcilers) => {
    const handle = await runHypervisorAgent({
      ...options,
      databaseUrl: database.url,
      db: database.db,
      hypervisor: driver,
      leaseRequest: {
        slug,
        ...lease,
        process: `${hostname()} (${config.ROLE}, process ${process.pid})`,
        url: () => config.AGENT_URL ?? listeningUrl(app.server.address() as AddressInfo | null, config.HOST),
      },
      reconcilers: reconcilers(new Map([[slug, guardDriver(driver)]])),
      leased,
      onError: (error) => log.warn({ err: error, hypervisor: slug }, 'the claim of a hypervisor is in trouble'),
    })
    handles.set(slug, handle)
    return {
      term: handle.term,
      async close() {
        if (handles.get(slug) === handle) handles.delete(slug)
        await handle.close()
      },
    }
  }
  let agent: AgentHandle | undefined
  return {
    leased,
    drive,
    async start(reconcilers) {
      if (own === null || hypervisor === null) return
      const installation = await readInstallation(config.DATA_DIR)
      agent = await drive({ slug: own, driver: hypervisor.driver, installation, replaces: true }, reconcilers)
    },
    close: async () => agent?.close(),
  }
}

/**
 * Returns the address at which other processes reach this one, or null if none can. A wildcard address cannot be
 * connected to, so the host name replaces it.
 */
function listeningUrl(address: AddressInfo | null, host: string): string | null {
  if (address === null) return null
  const reached = host === '0.0.0.0' || host === '::' ? hostname() : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${address.port}`
}
