/** What a process does that drives an edge, whatever else it is: the reconcilers of that edge. */
import type { SecretKey } from '../platform/secret-key.ts'
import { hostname } from 'node:os'
import type { Chosen } from './choose-drivers.ts'
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

export interface EdgeAgentDeps {
  readonly config: Pick<Config, 'ROLE' | 'EDGE_ROUTER_ID' | 'EDGE_WITHOUT_VRPS' | 'edgeSlug'>
  readonly database: Database
  /** Null where this process drives none. */
  readonly edge: Chosen<EdgeDriver> | null
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly reconcilerStats: ReconcilerStats
}

export interface EdgeAgent {
  /** Whether this process drives its edge now. */
  readonly isLeaseHolder: () => boolean
  start(traced: (reconcilers: readonly Reconciler[]) => readonly Reconciler[]): Promise<void>
  close(): Promise<void>
}

export function createEdgeAgent(options: EdgeAgentDeps): EdgeAgent {
  const { config, database, edge, operatorAsn, log } = options
  const edgeName = config.edgeSlug
  if (edgeName === null || edge === null) {
    return { isLeaseHolder: () => false, start: async () => undefined, close: async () => undefined }
  }
  const deps = {
    ...options,
    db: fencedDb(database, options.clock),
    operator: { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID, withoutVrps: config.EDGE_WITHOUT_VRPS },
    edge: guardDriver(edge.driver),
    edgeName,
    setUp: transitSetUp,
  }
  let agent: AgentHandle | undefined
  return {
    isLeaseHolder: () => (agent?.term() ?? null) !== null,
    async start(traced) {
      agent = await runEdgeAgent({
        ...options,
        databaseUrl: database.url,
        db: database.db,
        deps,
        leaseRequest: { process: `${hostname()} (${config.ROLE}, process ${process.pid})`, why: edge.why },
        reconcilers: traced(edgeReconcilers(deps)),
        onError: (error) => log.warn({ err: error, edge: edgeName }, 'the claim of an edge is in trouble'),
      })
    },
    close: async () => agent?.close(),
  }
}
