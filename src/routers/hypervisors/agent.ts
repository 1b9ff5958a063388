/** Drives one hypervisor from this process whenever no other process does. */
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { runWithLease, type LeaseOptions as Options, type AgentHandle } from '../../platform/leases/agent.ts'
import { acquireHypervisorLease, type HypervisorLeaseRequest } from './leases.ts'

export interface LeaseOptions extends Pick<
  Options,
  'databaseUrl' | 'db' | 'clock' | 'bus' | 'log' | 'reconcilerStats' | 'reconcilers' | 'onError'
> {
  readonly hypervisor: Hypervisor
  readonly leaseRequest: Omit<HypervisorLeaseRequest, 'url'> & {
    /** A name that leads a person to it. */
    readonly process: string
    readonly url: () => string | null
  }
  /**
   * Holds the driver by name while this process drives. It may hold its own from the start, until another process is
   * found to drive it.
   */
  readonly leased: Map<string, Hypervisor>
}

export function runHypervisorAgent(options: LeaseOptions): Promise<AgentHandle> {
  const { leaseRequest, leased, hypervisor } = options
  const { slug, process } = leaseRequest
  return runWithLease({
    ...options,
    table: 'hypervisor_agents',
    slug,
    process,
    lease: (db, before) => acquireHypervisorLease(db, { ...leaseRequest, url: leaseRequest.url() }, before),
    onLeaseGained: () => void leased.set(slug, hypervisor),
    onLeaseLost: () => {
      // A later connection of the same agent may hold it by now.
      if (leased.get(slug) === hypervisor) leased.delete(slug)
    },
  })
}
