/**
 * The interface of an edge router: hold exactly these customers, their sessions and the prefixes each may
 * announce. Desired state is structured; the language of the edge (BIRD, OpenBGPD) is the driver's business, so no caller can
 * put text into a configuration file.
 */

import type { EdgeCapabilities } from './capabilities.ts'
import type { RejectionCode } from './rejections.ts'
import type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute, SentQuery } from './seen-routes.ts'

export { ALL_CAPABILITIES, type EdgeCapabilities } from './capabilities.ts'
export { REJECTION_REASONS, type RejectionCode } from './rejections.ts'
export type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute } from './seen-routes.ts'

export interface EdgeNeighbor {
  readonly family: 4 | 6
  /** Our address of the session, on the segment that the customer's router is on. */
  readonly localAddress: string
  readonly peerAddress: string
  /** Routes that may be received before the edge closes the session; {@link receiveLimit} of what is approved unless given. */
  readonly receiveLimit?: number
  /** True: down although the customer is enabled, because it went over its limit, until somebody clears that. */
  readonly overLimit?: boolean
  /** True: the edge runs BFD towards the router (RFC 5880, RFC 5882). A router that never answers it keeps its session. */
  readonly bfd?: boolean
}

export interface EdgePrefix {
  /** Canonical text. */
  readonly prefix: string
  /** The only AS that may originate it. */
  readonly origin: number
  /** It has a ROA, so an edge without RPKI data refuses it: what it cannot check may be a hijack. */
  readonly roa?: boolean
}

/** The routes that we send to the customer. */
export type EdgeExport = 'default' | 'full' | 'default-and-full'

export interface EdgeCustomer {
  /** Stable number; names of protocols and filters derive from it. At most 999999. */
  readonly id: number
  readonly asn: number
  /** False: sessions are configured but held down by intent; the peer hears Cease (RFC 4486). */
  readonly enabled: boolean
  /** Why it is not enabled: the peer hears it when the sessions go down (RFC 9003). See {@link shutdownMessageIssue}. */
  readonly shutdownMessage?: string
  /** True: a last resort (RFC 8326), so that traffic leaves before the sessions are held down. */
  readonly drained?: boolean
  readonly neighbors: readonly EdgeNeighbor[]
  /** The prefixes that the customer may announce: exact matches only. More-specific host routes inside them are taken as blackholes (RFC 7999). */
  readonly accept: readonly EdgePrefix[]
  /** Prefixes that the edge itself originates towards this customer's router. */
  readonly statics: readonly { readonly prefix: string; readonly nextHop: string }[]
  /** Host routes whose traffic the edge drops, and upstreams that take blackholes are asked to (RFC 7999). */
  readonly blackholes?: readonly string[]
  readonly exports: EdgeExport
  /** TCP MD5 (RFC 2385), `[!-~]` without backslash and quote, at most 80 characters. */
  readonly password?: string
}

export interface EdgeDesiredState {
  readonly localAsn: number
  /** IPv4 dotted quad. */
  readonly routerId: string
  readonly customers: readonly EdgeCustomer[]
}

/** Session states of RFC 4271 section 8, and DISABLED when switched off by intent. */
export type SessionState = 'IDLE' | 'CONNECT' | 'ACTIVE' | 'OPENSENT' | 'OPENCONFIRM' | 'ESTABLISHED' | 'DISABLED'

/** BFD state. `NO_ANSWER` while the BGP session is up and the router does not run BFD with us. */
export type BfdState = 'UP' | 'DOWN' | 'NO_ANSWER'

export interface EdgeSession {
  readonly customerId: number
  readonly family: 4 | 6
  readonly state: SessionState
  readonly since: Date | null
  /** Routes received / of these accepted by the filter / sent to the customer. */
  readonly received: number
  readonly accepted: number
  readonly exported: number
  readonly lastError: string | null
  /** It was closed because more routes came than its limit, and stays closed until a load that says otherwise. */
  readonly tripped?: boolean
  /** Left out where the edge runs no BFD for it. */
  readonly bfd?: BfdState
}

/** A BGP session that the operator's own configuration makes, towards another network. */
export interface UpstreamSession {
  /** As that configuration names it, once on an edge. */
  readonly name: string
  readonly asn: number
  readonly address: string
  /** `DISABLED` is the operator's will; one that the edge itself shut is `IDLE`. */
  readonly state: SessionState
  readonly since: Date | null
  /** Of both families, where the session carries both. */
  readonly received: number
  readonly exported: number
  readonly lastError: string | null
}

/** An update of an upstream of which the edge took nothing. What is refused by the customers' rules or RPKI is not in it. */
export interface UpstreamRejection {
  /** The name of its session. */
  readonly upstream: string
  /** Canonical text; null where the edge does not say what it was about. */
  readonly prefix: string | null
  readonly rejection: RejectionCode
  readonly at: Date
}

export interface UpstreamRejections {
  /** Why the edge's log cannot be read, in words: reasons that are in it alone are missing, customers' too. */
  readonly logError: string | null
  /** The latest first, see {@link latestRejections}. */
  readonly rejections: readonly UpstreamRejection[]
}

export const MAX_REJECTIONS = 200
/** One that sends rubbish hides no other. */
export const MAX_REJECTIONS_OF_ONE = 20

export function latestRejections(rejections: readonly UpstreamRejection[]): UpstreamRejection[] {
  const sorted = rejections.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const ofEach = new Map<string, number>()
  const kept = sorted.filter(({ upstream }) => {
    const count = (ofEach.get(upstream) ?? 0) + 1
    ofEach.set(upstream, count)
    return count <= MAX_REJECTIONS_OF_ONE
  })
  return kept.slice(0, MAX_REJECTIONS)
}

/** Upstreams of one edge. More are not told of. */
export const MAX_UPSTREAMS = 100

/** Returns why a shutdown message is invalid, or null: BIRD's strings have no escapes, and RFC 8203 allows 128 bytes. */
export const shutdownMessageIssue = (text: string): string | null =>
  text !== '' &&
  text.isWellFormed() &&
  !/[\p{C}\p{Zl}\p{Zp}"\\]/u.test(text) &&
  new TextEncoder().encode(text).length <= SHUTDOWN_MESSAGE_BYTES
    ? null
    : `takes 1 to ${SHUTDOWN_MESSAGE_BYTES} bytes of text in one line, without quotes and backslashes`

/** RFC 8203 section 2. RFC 9003 allows 255, which older routers cut or refuse. */
export const SHUTDOWN_MESSAGE_BYTES = 128

/**
 * Routes that a customer may send in a family before the session is closed with Cease (RFC 4486 subcode 1): room for
 * every approved prefix, for mistakes that the filter explains, and for a burst of blackholes, but not for a full table.
 */
export const receiveLimit = (approved: number): number => 200 + 4 * approved

/**
 * The limit of accepted routes: half of them, which leaves room for the approved prefixes and a burst of blackholes. It
 * closes the session too: what BIRD only blocks stays blocked when there is room again.
 */
export const importLimit = (received: number, approved: number): number =>
  Math.max(Math.ceil(received / 2), approved, 1)

export interface EdgeRoute {
  readonly prefix: string
  readonly origin: number | null
  readonly accepted: boolean
  readonly rejection: RejectionCode | null
  /** Whether the edge announces it to an upstream; left out by an edge that cannot tell. */
  readonly exported?: boolean
}

/** The RPKI data of the edge itself, which validates origins independently of the portal. */
export interface EdgeRpki {
  /** VRPs, each once however many caches sent it. */
  readonly vrps: number
  /** Its sessions to RTR caches (RFC 8210). */
  readonly caches: readonly { readonly name: string; readonly up: boolean; readonly status: string }[]
}

/** A router on a segment of the edge's, as the leases have it. */
export interface SegmentHost {
  readonly address: string
  /** Lower-case, colon separated. */
  readonly mac: string
  /** The edge's own address on that segment, in the family of `address`, or IPv6 for a link-local one. */
  readonly gateway: string
}

/** The running configuration of one customer, as far as it decides which routes are accepted. */
export interface CarriedCustomer {
  readonly id: number
  readonly asn: number
  readonly enabled: boolean
  readonly accept: readonly { readonly prefix: string; readonly origin: number }[]
  /** Prefixes that the edge originates. */
  readonly statics: readonly string[]
}

export interface ApplyResult {
  /** Digest of the desired state that now runs; the same state always has the same digest. */
  readonly generation: string
  /** False when the edge already ran exactly this. */
  readonly changed: boolean
}

export interface EdgeDriver {
  readonly kind: 'bird' | 'openbgpd' | 'simulated'
  /** A state that asks for more is refused with the name of the field, by `generationOf` and `apply`. */
  readonly capabilities: EdgeCapabilities
  /** The digest of a desired state, without touching the edge. */
  generationOf(state: EdgeDesiredState): string
  /**
   * Makes the edge run this state, or leaves it as it was: render, check, load under the edge's own timer, look, confirm.
   * A process killed in the middle leaves an edge that rolls itself back. Serialised per edge.
   */
  apply(state: EdgeDesiredState): Promise<ApplyResult>
  /** The generation that the edge reports; null before the first load. */
  running(): Promise<{ generation: string | null; version: string }>
  /** The prefixes that the running state accepts, as the edge reports them; null without a load. */
  carried(): Promise<CarriedCustomer[] | null>
  sessions(): Promise<EdgeSession[]>
  /** Its sessions towards other networks, which no `apply` touches, by name. At most {@link MAX_UPSTREAMS}. */
  upstreams(): Promise<UpstreamSession[]>
  /** Paths that no network may send (RFC 5065, RFC 9774), and what `capabilities.malformedUpdates` adds. Of the last day. */
  refusedFromUpstreams(): Promise<UpstreamRejections>
  /** Every route that this customer announces, with the verdict on each, and what the edge originates for it. At most `limit`. */
  routes(customerId: number, limit?: number): Promise<EdgeRoute[]>
  /** The routes that this customer announces; rejected routes come first when there are more than `limit`. */
  receivedRoutes(customerId: number, limit: number): Promise<RouteList<ReceivedRoute>>
  /** The routes sent to the customer. Only the beginning of a full table is read: use `within`. */
  sentRoutes(customerId: number, query: SentQuery): Promise<RouteList<SeenRoute>>
  /** The routes of the longest prefix that covers `target`, a prefix in canonical text, and which of them is used. */
  candidates(target: string, limit: number): Promise<RouteList<CandidateRoute>>
  /** Null: this edge validates nothing. */
  rpki(): Promise<EdgeRpki | null>
  /**
   * Makes these, and no others of ours, permanent entries of the neighbour tables: no ARP and no neighbour discovery changes
   * who has such an address. Those that the operator made stay. Throws `refused` with what to do where an entry cannot be
   * written; the others are written all the same.
   */
  pinNeighbors(hosts: readonly SegmentHost[]): Promise<{ changed: number }>
  /** The entries that {@link pinNeighbors} wrote and that still exist, unordered. */
  pinnedNeighbors(): Promise<{ address: string; mac: string }[]>
  close(): Promise<void>
}

/** `refused`: the edge will not take this configuration, a retry is pointless until the state changes. `unreachable`: try again. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError'
  readonly kind: 'unreachable' | 'refused' | 'timeout' | 'rolled-back' | 'internal'
  constructor(kind: EdgeError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
