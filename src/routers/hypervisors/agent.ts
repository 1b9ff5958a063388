/** Drives one hypervisor from this process, whenever no other does. */
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { runWithLease, type LeaseOptions as Options, type AgentHandle } from '../../platform/leases/agent.ts'
import { acquireHypervisorLease, type HypervisorLeaseRequest } from './leases.ts'

export interface LeaseOptions extends Pick<
  Options,
  'databaseUrl' | 'db' | 'clock' | 'bus' | 'log' | 'reconcilerStats' | 'reconcilers' | 'onError'
> {
  readonly hypervisor: Hypervisor
  readonly leaseRequest: Omit<HypervisorLeaseRequest, 'url'> & {
    /** In words that lead a person to it. */
    readonly process: string
    readonly url: () => string | null
  }
  /** Holds the driver while this process drives, by its name. Its own it may hold from the start, until another is found to. */
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
