/** Chooses the hypervisor of a router. CPUs are shared, so they may be overcommitted; memory and disk never are. */
import { machineOverhead } from './host-memory.ts'

export interface Need {
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly disk: number
}

export interface Host {
  readonly id: number
  readonly drained: boolean
  /** Its capacity for routers. */
  readonly cpus: number
  readonly cpuOvercommit: number
  /** MiB, without the host's own reserve. */
  readonly memory: number
  /** MiB that each machine takes besides its own memory, before the part that grows with its size. */
  readonly perMachine: number
  readonly disk: number
  readonly routers: number
  /** The allocated part, running or not: a stopped router may start at any time. */
  readonly sold: Need
}

export const afterTaking = (host: Host, need: Need): Host => ({
  ...host,
  routers: host.routers + 1,
  sold: {
    cpus: host.sold.cpus + need.cpus,
    memory: host.sold.memory + need.memory,
    disk: host.sold.disk + need.disk,
  },
})

/** MiB of the host that its routers take, with QEMU's overhead. */
export const memoryTaken = ({ routers: count, sold, perMachine }: Host): number =>
  sold.memory + machineOverhead({ count, cpus: sold.cpus, memory: sold.memory }, perMachine)

export function fits(host: Host, need: Need): boolean {
  const full = afterTaking(host, need)
  return (
    !host.drained &&
    full.sold.cpus <= host.cpus * host.cpuOvercommit &&
    // Overcommit shares time between routers; it cannot make one router run on more CPUs than there are.
    need.cpus <= host.cpus &&
    memoryTaken(full) <= host.memory &&
    full.sold.disk <= host.disk
  )
}

/**
 * Returns the host that stays emptiest, so that a failure affects few routers; of equals the first. Null when there is
 * no room.
 */
export function choosePlacement<H extends Host>(hosts: readonly H[], need: Need): H | null {
  const candidates = hosts.filter((host) => fits(host, need))
  return candidates.toSorted((a, b) => fullness(a, need) - fullness(b, need) || a.id - b.id)[0] ?? null
}

const fullness = (host: Host, need: Need): number => {
  const full = afterTaking(host, need)
  return Math.max(
    full.sold.cpus / (host.cpus * host.cpuOvercommit),
    memoryTaken(full) / host.memory,
    full.sold.disk / host.disk,
  )
}
