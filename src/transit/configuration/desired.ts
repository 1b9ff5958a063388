/**
 * What the edge should run, computed from rows by one pure function: equal rows give an equal state, and whoever lost
 * the right to announce is simply not in it.
 */
import {
  ALL_CAPABILITIES,
  type EdgeCapabilities,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeExport,
} from '../../drivers/edge/index.ts'
import {
  comparePrefixes,
  containsPrefix,
  formatPrefix,
  parsePrefix,
  type Family,
  type Prefix,
} from '../../kernel/prefix.ts'
import type { AnnouncementType } from '../states.ts'

export interface Operator {
  readonly asn: number
  /** IPv4 dotted quad that names the edge in BGP. */
  readonly routerId: string
  /** What an edge without RPKI data does with a prefix that has a ROA; `closed` unless said otherwise. */
  readonly withoutVrps?: 'closed' | 'open'
}

export interface RouterAddress {
  readonly family: Family
  readonly address: string
  /** The edge's address on the router's segment, the operator's side of the session. */
  readonly gateway: string
}

export interface AdvertisedPrefix {
  readonly id: number
  readonly value: string
  readonly type: AnnouncementType
  readonly origin: number | null
  /** Of the last answer that RPKI gave. */
  readonly hasRoa?: boolean
}

/** A connection with all that bears on it. */
export interface ConnectionDetails {
  readonly id: number
  readonly userId: number
  /** Null unless verified: an unproven ASN gets no session and no filter. */
  readonly verifiedAsn: number | null
  readonly enabled: boolean
  /** On its way out, because nobody pays: a last resort (RFC 8326). */
  readonly drained?: boolean
  /** Why the customer disabled it. */
  readonly shutdownMessage?: string | null
  /** Families whose session went over its limit and was not cleared. */
  readonly overLimit?: readonly Family[]
  /** Families for which the customer turned BFD on. */
  readonly bfd?: readonly Family[]
  /** Where staff set another than comes with the approved prefixes. */
  readonly receiveLimits?: Readonly<Partial<Record<Family, number>>>
  /** Addresses, not yet checked against the prefixes. */
  readonly blackholes?: readonly string[]
  readonly exports: EdgeExport
  readonly password: string | null
  /** Whether the router that carries the connection runs. A stopped router is a session that is down, not a changed filter. */
  readonly running: boolean
  /** Of that router, whether it runs or not. */
  readonly addresses: readonly RouterAddress[]
  /** The approved ones. */
  readonly prefixes: readonly AdvertisedPrefix[]
}

export interface DesiredEdge {
  readonly state: EdgeDesiredState
  /** Ids of the prefixes that the state carries, ascending. An approved prefix without a router to carry it is not among them. */
  readonly advertised: readonly number[]
}

/**
 * What the edge product cannot do is left out of one customer, because it would refuse the whole state: the changes of all
 * others would wait. A session whose MD5 key it cannot hold stays down, as one without the key would be open to anybody.
 */
export function desiredEdge(
  operator: Operator,
  connections: readonly ConnectionDetails[],
  can: EdgeCapabilities = ALL_CAPABILITIES,
): DesiredEdge {
  const served = connections
    // Our own ASN is no customer's; were it in there, the edge would take nothing for anybody.
    .filter(
      ({ verifiedAsn, addresses }) => verifiedAsn !== null && verifiedAsn !== operator.asn && addresses.length > 0,
    )
    .toSorted((a, b) => a.id - b.id)
    .map((connection) => serveOnce(operator, can, connection))
  return {
    state: { localAsn: operator.asn, routerId: operator.routerId, customers: served.map((one) => one.customer) },
    advertised: [...Uint32Array.from(served.flatMap((one) => one.advertised)).sort()],
  }
}

interface Served {
  readonly customer: EdgeCustomer
  readonly advertised: readonly number[]
}

/** By the prefixes, which are the bulk of a connection: what they led to, and with what besides. */
const known = new WeakMap<readonly AdvertisedPrefix[], { readonly facts: string; readonly served: Served }>()

/** The very same customer for a connection with the same prefixes and facts, so that nobody has to look at each prefix again. */
function serveOnce(operator: Operator, can: EdgeCapabilities, connection: ConnectionDetails): Served {
  const { prefixes } = connection
  const facts = JSON.stringify([operator, can, { ...connection, prefixes: null }])
  const last = known.get(prefixes)
  if (last?.facts === facts) return last.served
  const served = serve(operator, within(can, connection))
  known.set(prefixes, { facts, served })
  return served
}

const within = (can: EdgeCapabilities, connection: ConnectionDetails): ConnectionDetails => ({
  ...connection,
  ...(!can.bfd && { bfd: [] }),
  ...(!can.statics && { prefixes: connection.prefixes.filter(({ type }) => type !== 'STATIC') }),
  ...(!can.md5 && connection.password !== null && { enabled: false, password: null }),
})

function serve(operator: Operator, connection: ConnectionDetails): Served {
  const byFamily = new Map(connection.addresses.map((address) => [address.family, address]))
  // Announced for a router that does not run, the prefix would be a black hole at our edge: other paths must win.
  const originates = connection.enabled && connection.running
  // Without a session of its family no filter stands anywhere that could carry the prefix.
  const advertised = connection.prefixes
    .map((prefix) => ({ ...prefix, parsed: parsePrefix(prefix.value) }))
    .filter(({ parsed, type, origin }) => byFamily.has(parsed.family) && (type === 'STATIC' ? originates : origin))
    .toSorted((a, b) => comparePrefixes(a.parsed, b.parsed))
  const announced = advertised.filter((prefix) => prefix.type !== 'STATIC')
  const statics = advertised.filter((prefix) => prefix.type === 'STATIC')
  const neighbors = [...byFamily.values()]
    .toSorted((a, b) => a.family - b.family)
    .map(({ family, address, gateway }) => ({
      family,
      localAddress: gateway,
      peerAddress: address,
      ...(connection.receiveLimits?.[family] !== undefined && { receiveLimit: connection.receiveLimits[family] }),
      ...(connection.overLimit?.includes(family) && { overLimit: true }),
      ...(connection.bfd?.includes(family) && { bfd: true }),
    }))
  const blackholes = ownHosts(connection.blackholes ?? [], advertised)
  return {
    customer: {
      id: connection.id,
      asn: connection.verifiedAsn!,
      enabled: connection.enabled,
      neighbors,
      accept: announced.map((prefix) => ({
        prefix: prefix.value,
        origin: prefix.origin!,
        ...(prefix.hasRoa && operator.withoutVrps !== 'open' && { roa: true }),
      })),
      statics: statics.map((prefix) => ({
        prefix: prefix.value,
        nextHop: byFamily.get(prefix.parsed.family)!.address,
      })),
      exports: connection.exports,
      ...(blackholes.length > 0 && { blackholes }),
      ...(connection.shutdownMessage != null && { shutdownMessage: connection.shutdownMessage }),
      ...(connection.drained && { drained: true }),
      ...(connection.password === null ? {} : { password: connection.password }),
    },
    advertised: advertised.map((prefix) => prefix.id),
  }
}

/** Of a prefix that is not approved any more, none: it may be another customer's by now. */
const ownHosts = (addresses: readonly string[], own: readonly { readonly parsed: Prefix }[]): string[] =>
  addresses
    .map((address) => parsePrefix(`${address}/${address.includes(':') ? 128 : 32}`))
    .filter((host) => own.some(({ parsed }) => containsPrefix(parsed, host)))
    .map(formatPrefix)
