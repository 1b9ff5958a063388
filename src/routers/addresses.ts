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

/** Host numbers that the pool never gives to a router: its gateways. */
function reserved(pool: Pool): Set<number> {
  return new Set([
    hostNumberOf(parsePrefix(pool.prefix4), pool.gateway4),
    hostNumberOf(parsePrefix(pool.prefix6), pool.gateway6),
  ])
}

/** How many routers fit: neither the network's nor the broadcast address (RFC 919) nor the gateways are given away. */
export function poolCapacity(pool: Pool): number {
  const last = lastHostNumber(pool)
  return last - [...reserved(pool)].filter((number) => number >= 1 && number <= last).length
}

/** The lowest host number that nobody has, or null when the pool is full. */
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

/** The host before the broadcast address. IPv6 subnets are far larger, so IPv4 decides. */
function lastHostNumber(pool: Pool): number {
  const prefix = parsePrefix(pool.prefix4)
  return Number(lastAddress(prefix) - prefix.network) - 1
}

/** A gateway far out in an IPv6 subnet is beyond every number that IPv4 has; it comes out as one that is never reached. */
function hostNumberOf(prefix: Prefix, gateway: string): number {
  const address = parseAddress(gateway)
  if (address?.family !== prefix.family) throw new TypeError(`"${gateway}" is not an IPv${prefix.family} address`)
  return Number(address.value - prefix.network)
}

/**
 * Locally administered and unicast (RFC 7042 section 2.1), the id in its last four octets, so that no two routers of an
 * installation share one and none changes it.
 */
export function macOf(routerId: number): string {
  if (!Number.isInteger(routerId) || routerId < 1 || routerId > 0x7fffffff)
    throw new RangeError(`${routerId} is no id of a router`)
  return `024c${routerId.toString(16).padStart(8, '0')}`.replace(/(..)(?!$)/g, '$1:')
}
