import { MAX_ASN } from '../../kernel/asn.ts'
import {
  comparePrefixes,
  formatAddress,
  formatPrefix,
  parseAddress,
  tryParsePrefix,
  type Family,
  type Prefix,
} from '../../kernel/prefix.ts'
import type { EdgeCapabilities } from './capabilities.ts'
import {
  EdgeError,
  shutdownMessageIssue,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeExport,
  type EdgeNeighbor,
  type EdgePrefix,
} from './index.ts'

/** Protocol names contain the number; six digits keep them in numeric order. */
const MAX_CUSTOMER_ID = 999_999
const EXPORTS: readonly EdgeExport[] = ['default', 'full', 'default-and-full']
/**
 * BIRD's strings have no escapes, so characters that need one cannot be expressed. TCP MD5 takes 80 bytes (RFC 2385).
 */
const PASSWORD = /^[!#-[\]-~]{1,80}$/

/**
 * Returns the canonical form of a desired state: every value is printed again by the kernel's parsers, sorted and
 * without duplicates. Equal states become equal values. Only numbers, addresses and prefixes are left, so a renderer
 * can print them safely. Throws `EdgeError` refused with the path of a value that an edge cannot express.
 */
export function canonicalState(state: EdgeDesiredState, known?: KnownCustomers): EdgeDesiredState {
  const routerId = canonicalAddress(state.routerId, 4, 'routerId')
  if (routerId === '0.0.0.0') refuse('routerId', 'is 0.0.0.0, which is no router ID (RFC 6286)')
  const localAsn = canonicalAsn(state.localAsn, 'localAsn')
  const customers = known ? known.of(state.customers) : state.customers.map(canonicalCustomer)
  customers.sort((a, b) => a.id - b.id)
  for (const { id, asn } of customers)
    if (asn === localAsn) refuse(`customer ${id} asn`, `is our own, and a session within an AS has no roles (RFC 9234)`)
  requireUnique(customers.map((customer) => `customer ${customer.id}`))
  requireUnique(
    customers.flatMap((customer) => customer.neighbors.map((neighbor) => `neighbor ${neighbor.peerAddress}`)),
  )
  requireUnique(customers.flatMap((customer) => customer.statics.map((route) => `static prefix ${route.prefix}`)))
  return { localAsn, routerId, customers }
}

const CANNOT = 'which this edge cannot do'

/** Throws `EdgeError` refused with the first field that an edge with these capabilities does not support. */
export function requireSupported(state: EdgeDesiredState, can: EdgeCapabilities): void {
  for (const { id, statics, password, neighbors } of state.customers) {
    if (!can.statics && statics.length > 0) refuse(`customer ${id} statics`, `asks for static prefixes, ${CANNOT}`)
    if (!can.md5 && password !== undefined) refuse(`customer ${id} password`, `asks for TCP MD5 (RFC 2385), ${CANNOT}`)
    if (!can.bfd && neighbors.some(({ bfd }) => bfd === true))
      refuse(`customer ${id} bfd`, `asks for BFD (RFC 5880), ${CANNOT}`)
  }
}

/**
 * The customers of the last state, so that a change of one customer does not parse the prefixes of all others again.
 */
export class KnownCustomers {
  #last = new Map<string, EdgeCustomer>()
  readonly #same = new WeakMap<EdgeCustomer, { readonly key: string; readonly canonical: EdgeCustomer }>()

  /**
   * Returns the same object for a customer of the last state, whether it is passed as that object or as equal values.
   */
  of(customers: readonly EdgeCustomer[]): EdgeCustomer[] {
    const now = new Map<string, EdgeCustomer>()
    const all = customers.map((customer) => {
      const { key, canonical } = this.#same.get(customer) ?? this.#look(customer)
      this.#same.set(customer, { key, canonical })
      now.set(key, canonical)
      return canonical
    })
    this.#last = now
    return all
  }

  #look(customer: EdgeCustomer): { key: string; canonical: EdgeCustomer } {
    const key = JSON.stringify(customer)
    return { key, canonical: this.#last.get(key) ?? canonicalCustomer(customer) }
  }
}

function canonicalCustomer(customer: EdgeCustomer): EdgeCustomer {
  const at = `customer ${customer.id}`
  if (!Number.isInteger(customer.id) || customer.id < 1 || customer.id > MAX_CUSTOMER_ID)
    refuse(at, `needs a number from 1 to ${MAX_CUSTOMER_ID}`)
  if (!EXPORTS.includes(customer.exports)) refuse(`${at} exports`, `is none of ${EXPORTS.join(', ')}`)
  if (typeof customer.enabled !== 'boolean') refuse(`${at} enabled`, 'is neither true nor false')
  const { shutdownMessage, blackholes = [] } = customer
  if (shutdownMessage !== undefined) {
    const wrong = typeof shutdownMessage === 'string' ? shutdownMessageIssue(shutdownMessage) : 'is no text'
    if (wrong !== null) refuse(`${at} shutdownMessage`, wrong)
  }
  const neighbors = customer.neighbors.map((neighbor) => canonicalNeighbor(neighbor, at))
  neighbors.sort((a, b) => a.family - b.family)
  requireUnique(neighbors.map((neighbor) => `${at} family ${neighbor.family}`))
  const canonical = {
    id: customer.id,
    asn: canonicalAsn(customer.asn, `${at} asn`),
    enabled: customer.enabled,
    neighbors,
    accept: canonicalAccept(customer.accept, at),
    statics: canonicalStatics(customer.statics, at),
    exports: customer.exports,
    ...(blackholes.length > 0 && { blackholes: canonicalHosts(blackholes, `${at} blackholes`) }),
    ...(customer.drained === true && { drained: true }),
    ...(!customer.enabled && shutdownMessage !== undefined && { shutdownMessage }),
  }
  if (customer.password === undefined) return canonical
  // The value is a secret: an error never repeats it.
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
  const { receiveLimit, overLimit, bfd } = neighbor
  if (receiveLimit !== undefined && !(Number.isInteger(receiveLimit) && receiveLimit >= 1 && receiveLimit <= MAX_LIMIT))
    refuse(`${at} receiveLimit`, `is no number from 1 to ${MAX_LIMIT}`)
  return {
    family,
    localAddress,
    peerAddress,
    ...(receiveLimit !== undefined && { receiveLimit }),
    ...(overLimit === true && { overLimit: true }),
    ...(bfd === true && { bfd: true }),
  }
}

/** More than the global table has. */
const MAX_LIMIT = 10_000_000

function canonicalHosts(hosts: readonly string[], at: string): string[] {
  const parsed = hosts.map((text) => parse(text, at))
  for (const { family, length } of parsed)
    if (length !== (family === 4 ? 32 : 128)) refuse(at, 'takes addresses alone, as /32 or /128')
  return [...new Set(parsed.sort(comparePrefixes).map(formatPrefix))]
}

function canonicalAccept(accept: readonly EdgePrefix[], at: string): EdgePrefix[] {
  const acceptAt = `${at} accept`
  const entries = accept.map(({ prefix: text, origin, roa = false }) => {
    const parsed = parse(text, acceptAt)
    const prefix = formatPrefix(parsed)
    if (!isAsn(origin)) refuse(`${at} origin of ${prefix}`, NO_ASN)
    if (typeof roa !== 'boolean') refuse(`${acceptAt} roa of ${prefix}`, 'is neither true nor false')
    return { parsed, entry: { prefix, origin, ...(roa && { roa }) } }
  })
  type Entry = (typeof entries)[number]
  const compare = (a: Entry, b: Entry): number => a.entry.origin - b.entry.origin || comparePrefixes(a.parsed, b.parsed)
  // Of entries for one prefix and origin the last counts; the sort is stable.
  return entries
    .sort(compare)
    .filter((one, index) => index + 1 === entries.length || compare(one, entries[index + 1]!) !== 0)
    .map(({ entry }) => entry)
}

function canonicalStatics(statics: EdgeCustomer['statics'], at: string): EdgeCustomer['statics'] {
  return statics
    .map((route) => ({ parsed: parse(route.prefix, `${at} statics`), nextHop: route.nextHop }))
    .sort((a, b) => comparePrefixes(a.parsed, b.parsed))
    .map(({ parsed, nextHop }) => {
      const prefix = formatPrefix(parsed)
      return { prefix, nextHop: canonicalAddress(nextHop, parsed.family, `${at} nextHop of ${prefix}`) }
    })
}

const isAsn = (asn: number): boolean => Number.isInteger(asn) && asn >= 1 && asn <= MAX_ASN
const NO_ASN = `is not an AS number (1 to ${MAX_ASN})`

function canonicalAsn(asn: number, at: string): number {
  if (!isAsn(asn)) refuse(at, NO_ASN)
  return asn
}

function parse(text: string, at: string): Prefix {
  const prefix = typeof text === 'string' ? tryParsePrefix(text) : null
  if (!prefix) return refuse(at, `holds "${clip(text)}", which is not a prefix without host bits`)
  if (prefix.length === 0) return refuse(at, `holds ${clip(text)}, the default route`)
  return prefix
}

function canonicalAddress(text: string, family: Family, at: string): string {
  const address = typeof text === 'string' ? parseAddress(text) : null
  if (address?.family !== family) return refuse(at, `"${clip(text)}" is not IPv${family} addresses`)
  return formatAddress(address)
}

/** Returns the family of a prefix or address that is already canonical. */
export const familyOf = (canonical: string): Family => (canonical.includes(':') ? 6 : 4)

function requireUnique(keys: readonly string[]): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) refuse(key, 'is in the desired state twice')
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
