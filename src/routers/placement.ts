/** Which hypervisor takes a router. CPUs are shared, so they may be sold several times; memory and disk never are. */

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
  /** What it is sold as. */
  readonly cpus: number
  readonly cpuOvercommit: number
  readonly memory: number
  readonly disk: number
  /** What is sold of it already, running or not: a stopped router may start at any time. */
  readonly sold: Need
}

export function fits(host: Host, need: Need): boolean {
  return (
    !host.drained &&
    host.sold.cpus + need.cpus <= host.cpus * host.cpuOvercommit &&
    // Overcommit shares time between routers; it cannot make one router run on more CPUs than there are.
    need.cpus <= host.cpus &&
    host.sold.memory + need.memory <= host.memory &&
    host.sold.disk + need.disk <= host.disk
  )
}

/** The host that stays emptiest, so that one that fails takes few with it; of equals the first. Null when there is no room. */
export function choosePlacement(hosts: readonly Host[], need: Need): Host | null {
  const candidates = hosts.filter((host) => fits(host, need))
  return candidates.toSorted((a, b) => fullness(a, need) - fullness(b, need) || a.id - b.id)[0] ?? null
}

const fullness = (host: Host, need: Need): number =>
  Math.max(
    (host.sold.cpus + need.cpus) / (host.cpus * host.cpuOvercommit),
    (host.sold.memory + need.memory) / host.memory,
    (host.sold.disk + need.disk) / host.disk,
  )
