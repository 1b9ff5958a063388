/**
 * Computes what the edge should run, from rows, by one pure function. Equal rows give an equal state, and a connection
 * that lost the right to announce is simply not in it.
 */
import type { AccountId } from '../../kernel/ids.ts'
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
  /** The IPv4 dotted quad that identifies the edge in BGP. */
  readonly routerId: string
  /** How an edge without RPKI data treats a prefix that has a ROA; `closed` by default. */
  readonly withoutVrps?: 'closed' | 'open'
}

export interface RouterAddress {
  readonly family: Family
  readonly address: string
  /** The edge's address on the router's segment, the operator's end of the session. */
  readonly gateway: string
}

export interface AdvertisedPrefix {
  readonly id: number
  readonly value: string
  readonly type: AnnouncementType
  readonly origin: number | null
  /** According to the last answer from RPKI. */
  readonly hasRoa?: boolean
}

/** A connection with everything that affects its configuration. */
export interface ConnectionDetails {
  readonly id: number
  readonly accountId: AccountId
  /** Null unless verified. An unproven ASN gets no session and no filter. */
  readonly verifiedAsn: number | null
  readonly enabled: boolean
  /** Drained because an invoice is overdue: its routes are a last resort for other networks (RFC 8326). */
  readonly drained?: boolean
  /** The message that the customer gave when disabling the sessions. */
  readonly shutdownMessage?: string | null
  /** Families whose session exceeded its limit and was not cleared. */
  readonly overLimit?: readonly Family[]
  /** Families for which the customer turned BFD on. */
  readonly bfd?: readonly Family[]
  /** Limits set by staff, where they differ from those that follow from the approved prefixes. */
  readonly receiveLimits?: Readonly<Partial<Record<Family, number>>>
  /** Blackholed addresses, not yet checked against the prefixes. */
  readonly blackholes?: readonly string[]
  readonly exports: EdgeExport
  readonly password: string | null
  /** Whether the router that carries the connection runs. When it stops, its session goes down but the filter stays. */
  readonly running: boolean
  /** The addresses of that router, whether it runs or not. */
  readonly addresses: readonly RouterAddress[]
  /** The approved prefixes. */
  readonly prefixes: readonly AdvertisedPrefix[]
}

export interface DesiredEdge {
  readonly state: EdgeDesiredState
  /** Ids of the prefixes that the state carries, one list for each customer. Excludes those without a router to carry them. */
  readonly advertised: readonly (readonly number[])[]
}

interface EdgeFacts {
  readonly capabilities: EdgeCapabilities
  /** The edge is under maintenance: every connection is drained (RFC 8326). */
  readonly drained: boolean
}

const ANY_EDGE: EdgeFacts = { capabilities: ALL_CAPABILITIES, drained: false }

/**
 * Omits, for one customer, what the edge product cannot do. Otherwise the edge would reject the whole state, and the
 * changes of all others would wait. A session whose MD5 key the product cannot hold stays down, since without the key
 * it would be open to anybody.
 */
export function desiredEdge(
  operator: Operator,
  connections: readonly ConnectionDetails[],
  edge: EdgeFacts = ANY_EDGE,
): DesiredEdge {
  const served = connections
    // No customer can have our own ASN. If one were in the state, the edge would accept nothing from anybody.
    .filter(
      ({ verifiedAsn, addresses }) => verifiedAsn !== null && verifiedAsn !== operator.asn && addresses.length > 0,
    )
    .toSorted((a, b) => a.id - b.id)
    .map((connection) => serveOnce(operator, edge, connection))
  return {
    state: { localAsn: operator.asn, routerId: operator.routerId, customers: served.map((one) => one.customer) },
    advertised: served.map((one) => one.advertised),
  }
}

interface Served {
  readonly customer: EdgeCustomer
  readonly advertised: readonly number[]
}

/** The last result for each connection, with the other facts it was computed from. */
const known = new WeakMap<ConnectionDetails, { readonly facts: readonly unknown[]; readonly served: Served }>()

/** Returns the same customer object for the same connection, so that no prefix is processed again. */
function serveOnce(operator: Operator, { capabilities, drained }: EdgeFacts, connection: ConnectionDetails): Served {
  const facts = [operator, capabilities, drained]
  const last = known.get(connection)
  if (last?.facts.every((fact, index) => fact === facts[index])) return last.served
  const served = serve(operator, within(capabilities, drained ? { ...connection, drained } : connection))
  known.set(connection, { facts, served })
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
  // If the prefix were announced for a router that does not run, our edge would blackhole its traffic. Other paths must win.
  const originates = connection.enabled && connection.running
  // Without a session of its family, no filter could carry the prefix.
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

/** Keeps only addresses inside the customer's approved prefixes. Space outside them may belong to another customer by now. */
const ownHosts = (addresses: readonly string[], own: readonly { readonly parsed: Prefix }[]): string[] =>
  addresses
    .map((address) => parsePrefix(`${address}/${address.includes(':') ? 128 : 32}`))
    .filter((host) => own.some(({ parsed }) => containsPrefix(parsed, host)))
    .map(formatPrefix)
