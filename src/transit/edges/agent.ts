/** Drives one edge from this process while no other process does. */
import { runWithLease, type LeaseOptions as Options, type AgentHandle } from '../../platform/leases/agent.ts'
import type { EdgeDeps } from '../deps.ts'
import { acquireEdgeLease, type EdgeLeaseRequest } from './leases.ts'

export interface EdgeAgentOptions extends Pick<
  Options,
  'databaseUrl' | 'db' | 'clock' | 'bus' | 'log' | 'reconcilerStats' | 'reconcilers' | 'onError'
> {
  readonly deps: EdgeDeps
  readonly leaseRequest: Pick<EdgeLeaseRequest, 'why'> & {
    /** A description that leads a person to the process. */
    readonly process: string
  }
}

export function runEdgeAgent({ deps, leaseRequest, ...options }: EdgeAgentOptions): Promise<AgentHandle> {
  const { edge, edgeName: slug, operator } = deps
  return runWithLease({
    ...options,
    ...leaseRequest,
    table: 'transit_edge_agents',
    slug,
    lease: (on) => acquireEdgeLease(on, { why: leaseRequest.why, slug, kind: edge.kind, routerId: operator.routerId }),
  })
}
