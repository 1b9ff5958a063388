/** What a process does that drives a hypervisor, whatever else it is: the reconcilers of its routers, and their consoles. */
import type { SecretKey } from '../platform/secret-key.ts'
import type { FastifyInstance } from 'fastify'
import { hostname } from 'node:os'
import type { AddressInfo } from 'node:net'
import type { Chosen } from './choose-drivers.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { readInstallation } from './installation-secrets.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import type { AgentHandle } from '../platform/leases/agent.ts'
import type { ChangeBus } from '../platform/events.ts'
import { guardDriver } from '../platform/leases/index.ts'
import type { Log } from '../platform/log.ts'
import type { ReconcilerStats, Reconciler } from '../platform/reconcile.ts'
import { runHypervisorAgent, mountAgentConsoles } from '../routers/index.ts'

export interface HypervisorAgentDeps {
  readonly config: Pick<Config, 'DATA_DIR' | 'HOST' | 'AGENT_URL' | 'ROLE' | 'hypervisorSlug'>
  readonly database: Database
  /** Null where this process drives none. */
  readonly hypervisor: Chosen<Hypervisor> | null
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly reconcilerStats: ReconcilerStats
}

export interface HypervisorAgent {
  /** What it drives now, by the short name. */
  readonly leased: ReadonlyMap<string, Hypervisor>
  /** The same for reconcilers: refuses every call outside of the lease. */
  readonly guarded: ReadonlyMap<string, Hypervisor>
  /** Whether it holds the claim: `leased` also holds what it only begins to drive. */
  readonly isLeaseHolder: () => boolean
  start(reconcilers: readonly Reconciler[]): Promise<void>
  close(): Promise<void>
}

const NOTHING = { isLeaseHolder: () => false, start: async () => undefined, close: async () => undefined }

export function createHypervisorAgent(app: FastifyInstance, options: HypervisorAgentDeps): HypervisorAgent {
  const { config, database, hypervisor, log, bus, reconcilerStats } = options
  const slug = config.hypervisorSlug
  const leased = new Map<string, Hypervisor>()
  if (slug === null || hypervisor === null) return { ...NOTHING, leased, guarded: leased }
  const guarded = new Map([[slug, guardDriver(hypervisor.driver)]])
  leased.set(slug, hypervisor.driver)
  let agent: AgentHandle | undefined
  mountAgentConsoles(app, { ...options, hypervisors: leased, slug, term: () => agent?.term() ?? null })
  return {
    leased,
    guarded,
    isLeaseHolder: () => (agent?.term() ?? null) !== null,
    async start(reconcilers) {
      agent = await runHypervisorAgent({
        databaseUrl: database.url,
        db: database.db,
        clock: options.clock,
        bus,
        log,
        reconcilerStats,
        hypervisor: hypervisor.driver,
        leaseRequest: {
          slug,
          installation: await readInstallation(config.DATA_DIR),
          process: `${hostname()} (${config.ROLE}, process ${process.pid})`,
          url: () => config.AGENT_URL ?? listeningUrl(app.server.address() as AddressInfo | null, config.HOST),
        },
        reconcilers,
        leased,
        onError: (error) => log.warn({ err: error, hypervisor: slug }, 'the claim of a hypervisor is in trouble'),
      })
    },
    close: async () => agent?.close(),
  }
}

/** As others may reach it, null for one that nobody can: an address that stands for all of them is none, so the name of the host has to do. */
function listeningUrl(address: AddressInfo | null, host: string): string | null {
  if (address === null) return null
  const reached = host === '0.0.0.0' || host === '::' ? hostname() : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${address.port}`
}
