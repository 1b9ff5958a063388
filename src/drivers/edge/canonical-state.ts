import { MAX_ASN } from '../../kernel/asn.ts'
import {
  comparePrefixes,
  formatAddress,
  formatPrefix,
  parseAddress,
  tryParsePrefix,
  type Family,
} from '../../kernel/prefix.ts'
import {
  EdgeError,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeExport,
  type EdgeNeighbor,
  type EdgePrefix,
} from './index.ts'

/** Names of protocols carry the number; six digits keep them in the order of the numbers. */
const MAX_CUSTOMER_ID = 999_999
const EXPORTS: readonly EdgeExport[] = ['default', 'full', 'default-and-full']
/** The strings of BIRD have no escapes, so what would need one cannot be said. TCP MD5 takes 80 bytes (RFC 2385). */
const PASSWORD = /^[!#-[\]-~]{1,80}$/

/**
 * The one spelling of a desired state: every value re-printed by the kernel's parsers, everything sorted, nothing
 * twice. Equal states become equal values, and nothing but numbers, addresses and prefixes is left in it, which is why
 * a renderer may print it. Throws `EdgeError` refused with the path of the value that an edge cannot express.
 */
export function canonicalState(state: EdgeDesiredState): EdgeDesiredState {
  const routerId = canonicalAddress(state.routerId, 4, 'routerId')
  if (routerId === '0.0.0.0') refuse('routerId', 'is 0.0.0.0, which is no router ID (RFC 6286)')
  const customers = state.customers.map(canonicalCustomer).sort((a, b) => a.id - b.id)
  refuseTwice(customers.map((customer) => `customer ${customer.id}`))
  refuseTwice(customers.flatMap((customer) => customer.neighbors.map((neighbor) => `neighbor ${neighbor.peerAddress}`)))
  refuseTwice(customers.flatMap((customer) => customer.statics.map((route) => `static prefix ${route.prefix}`)))
  return { localAsn: canonicalAsn(state.localAsn, 'localAsn'), routerId, customers }
}

function canonicalCustomer(customer: EdgeCustomer): EdgeCustomer {
  const at = `customer ${customer.id}`
  if (!Number.isInteger(customer.id) || customer.id < 1 || customer.id > MAX_CUSTOMER_ID)
    refuse(at, `needs a number from 1 to ${MAX_CUSTOMER_ID}`)
  if (!EXPORTS.includes(customer.exports)) refuse(`${at} exports`, `is none of ${EXPORTS.join(', ')}`)
  if (typeof customer.enabled !== 'boolean') refuse(`${at} enabled`, 'is neither true nor false')
  const neighbors = customer.neighbors.map((neighbor) => canonicalNeighbor(neighbor, at))
  neighbors.sort((a, b) => a.family - b.family)
  refuseTwice(neighbors.map((neighbor) => `${at} family ${neighbor.family}`))
  const canonical = {
    id: customer.id,
    asn: canonicalAsn(customer.asn, `${at} asn`),
    enabled: customer.enabled,
    neighbors,
    accept: canonicalAccept(customer.accept, at),
    statics: customer.statics.map((route) => canonicalStatic(route, at)).sort(byPrefix),
    exports: customer.exports,
  }
  if (customer.password === undefined) return canonical
  // The value itself is a secret: it is never repeated in an error.
  if (typeof customer.password !== 'string' || !PASSWORD.test(customer.password))
    refuse(`${at} password`, 'takes 1 to 80 printable ASCII characters without space, quote and backslash')
  return { ...canonical, password: customer.password }
}

function canonicalNeighbor(neighbor: EdgeNeighbor, at: string): EdgeNeighbor {
  const { family } = neighbor
  if (family !== 4 && family !== 6) refuse(`${at} family`, 'is neither 4 nor 6')
  const localAddress = canonicalAddress(neighbor.localAddress, family, `${at} localAddress`)
  const peerAddress = canonicalAddress(neighbor.peerAddress, family, `${at} peerAddress`)
  if (localAddress === peerAddress) refuse(`${at} peerAddress`, `is our own address ${localAddress}`)
  return { family, localAddress, peerAddress }
}

function canonicalAccept(accept: readonly EdgePrefix[], at: string): EdgePrefix[] {
  const seen = new Map<string, EdgePrefix>()
  for (const entry of accept) {
    const canonical = {
      prefix: canonicalPrefix(entry.prefix, `${at} accept`),
      origin: canonicalAsn(entry.origin, `${at} origin of ${clip(entry.prefix)}`),
    }
    seen.set(`${canonical.prefix} ${canonical.origin}`, canonical)
  }
  return [...seen.values()].sort((a, b) => a.origin - b.origin || byPrefix(a, b))
}

function canonicalStatic(route: { prefix: string; nextHop: string }, at: string): { prefix: string; nextHop: string } {
  const prefix = canonicalPrefix(route.prefix, `${at} statics`)
  return { prefix, nextHop: canonicalAddress(route.nextHop, familyOf(prefix), `${at} nextHop of ${prefix}`) }
}

function canonicalAsn(asn: number, at: string): number {
  if (!Number.isInteger(asn) || asn < 1 || asn > MAX_ASN) refuse(at, `is not an AS number (1 to ${MAX_ASN})`)
  return asn
}

function canonicalPrefix(text: string, at: string): string {
  const prefix = typeof text === 'string' ? tryParsePrefix(text) : null
  if (!prefix) return refuse(at, `holds "${clip(text)}", which is not a prefix without host bits`)
  if (prefix.length === 0) return refuse(at, `holds ${clip(text)}, the default route`)
  return formatPrefix(prefix)
}

function canonicalAddress(text: string, family: Family, at: string): string {
  const address = typeof text === 'string' ? parseAddress(text) : null
  if (address?.family !== family) return refuse(at, `"${clip(text)}" is not an IPv${family} address`)
  return formatAddress(address)
}

/** The family of a prefix or address that is already canonical. */
export const familyOf = (canonical: string): Family => (canonical.includes(':') ? 6 : 4)

function byPrefix(a: { prefix: string }, b: { prefix: string }): number {
  return comparePrefixes(tryParsePrefix(a.prefix)!, tryParsePrefix(b.prefix)!)
}

function refuseTwice(keys: readonly string[]): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) refuse(key, 'stands in the desired state twice')
    seen.add(key)
  }
}

function refuse(at: string, why: string): never {
  throw new EdgeError('refused', `The edge cannot express this state: ${at} ${why}.`)
}

const clip = (value: unknown): string => {
  const text = String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
