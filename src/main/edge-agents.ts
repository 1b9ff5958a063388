/** What a process does that drives edges, its own or those of agents: the reconcilers of each. */
import type { SecretKey } from '../platform/secret-key.ts'
import { hostname } from 'node:os'
import type { Chosen } from '../agent/choose-drivers.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import type { AgentHandle } from '../platform/leases/agent.ts'
import type { ChangeBus } from '../platform/events.ts'
import { fencedDb, guardDriver } from '../platform/leases/index.ts'
import type { Log } from '../platform/log.ts'
import type { ReconcilerStats, Reconciler } from '../platform/reconcile.ts'
import { transitSetUp } from '../billing/index.ts'
import { runEdgeAgent, edgeReconcilers } from '../transit/index.ts'

export interface EdgeAgentsDeps {
  readonly config: Pick<Config, 'ROLE' | 'EDGE_ROUTER_ID' | 'EDGE_WITHOUT_VRPS' | 'EDGE_MAX_SHRINK' | 'edgeSlug'>
  readonly database: Database
  /** The edge of this machine; null if this process drives none. */
  readonly edge: Chosen<EdgeDriver> | null
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly reconcilerStats: ReconcilerStats
}

export interface DrivenEdge extends Chosen<EdgeDriver> {
  readonly slug: string
  readonly routerId: string
}

export type Traced = (reconcilers: readonly Reconciler[]) => readonly Reconciler[]

export interface EdgeAgents {
  /** Drives it whenever no other process does, until the handle is closed. */
  drive(edge: DrivenEdge, traced: Traced): Promise<AgentHandle>
  start(traced: Traced): Promise<void>
  close(): Promise<void>
}

export function createEdgeAgents(options: EdgeAgentsDeps): EdgeAgents {
  const { config, database, edge, operatorAsn, log } = options
  const drive: EdgeAgents['drive'] = ({ slug, driver, why, routerId }, traced) => {
    const deps = {
      ...options,
      db: fencedDb(database, options.clock),
      operator: { asn: operatorAsn, routerId, withoutVrps: config.EDGE_WITHOUT_VRPS },
      edge: guardDriver(driver),
      edgeName: slug,
      maxShrink: config.EDGE_MAX_SHRINK / 100,
      setUp: transitSetUp,
    }
    return runEdgeAgent({
      ...options,
      databaseUrl: database.url,
      db: database.db,
      deps,
      leaseRequest: { process: `${hostname()} (${config.ROLE}, process ${process.pid})`, why },
      reconcilers: traced(edgeReconcilers(deps)),
      onError: (error) => log.warn({ err: error, edge: slug }, 'the claim of an edge is in trouble'),
    })
  }
  let agent: AgentHandle | undefined
  return {
    drive,
    async start(traced) {
      if (config.edgeSlug === null || edge === null) return
      agent = await drive({ ...edge, slug: config.edgeSlug, routerId: config.EDGE_ROUTER_ID }, traced)
    },
    close: async () => agent?.close(),
  }
}
