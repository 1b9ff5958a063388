/** Assigns addresses to a router: the lowest free host number of a pool, the same in both families, and its own MAC. */
import { formatAddress, lastAddress, parseAddress, parsePrefix, type Prefix } from '../kernel/prefix.ts'

export interface Pool {
  readonly prefix4: string
  readonly gateway4: string
  readonly prefix6: string
  readonly gateway6: string
}

export interface HostAddresses {
  readonly hostNumber: number
  readonly address4: string
  readonly address6: string
}

/** Returns the host numbers of the gateways, which the pool never gives to a router. */
function reserved(pool: Pool): Set<number> {
  return new Set([
    hostNumberOf(parsePrefix(pool.prefix4), pool.gateway4),
    hostNumberOf(parsePrefix(pool.prefix6), pool.gateway6),
  ])
}

/**
 * Returns how many routers fit. The network address, the broadcast address (RFC 919) and the gateways are not given
 * away.
 */
export function poolCapacity(pool: Pool): number {
  const last = lastHostNumber(pool)
  return last - [...reserved(pool)].filter((number) => number >= 1 && number <= last).length
}

/** Returns the lowest free host number, or null when the pool is full. */
export function lowestFree(pool: Pool, taken: Iterable<number>): HostAddresses | null {
  const unavailable = reserved(pool)
  for (const number of taken) unavailable.add(number)
  const last = lastHostNumber(pool)
  for (let number = 1; number <= last; number++) {
    if (!unavailable.has(number)) return addressesOf(pool, number)
  }
  return null
}

function addressesOf(pool: Pool, hostNumber: number): HostAddresses {
  const host = BigInt(hostNumber)
  return {
    hostNumber,
    address4: formatAddress({ family: 4, value: parsePrefix(pool.prefix4).network + host }),
    address6: formatAddress({ family: 6, value: parsePrefix(pool.prefix6).network + host }),
  }
}

/** Returns the host before the broadcast address. IPv6 subnets are far larger, so IPv4 decides. */
function lastHostNumber(pool: Pool): number {
  const prefix = parsePrefix(pool.prefix4)
  return Number(lastAddress(prefix) - prefix.network) - 1
}

/**
 * Returns the host number of a gateway. One far out in an IPv6 subnet is beyond IPv4's range, so its number is never
 * reached.
 */
function hostNumberOf(prefix: Prefix, gateway: string): number {
  const address = parseAddress(gateway)
  if (address?.family !== prefix.family) throw new TypeError(`"${gateway}" is not an IPv${prefix.family} address`)
  return Number(address.value - prefix.network)
}

/**
 * Returns a locally administered unicast MAC (RFC 7042 section 2.1) with the id in its last four octets. No two routers
 * of an installation share one, and it never changes.
 */
export function macOf(routerId: number): string {
  if (!Number.isInteger(routerId) || routerId < 1 || routerId > 0x7fffffff)
    throw new RangeError(`${routerId} is no id of a router`)
  return `024c${routerId.toString(16).padStart(8, '0')}`.replace(/(..)(?!$)/g, '$1:')
}
