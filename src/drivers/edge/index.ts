/**
 * The interface of an edge router: run exactly these customers with their sessions and the prefixes that each may
 * announce. Desired state is structured. Only the driver knows the language of the edge (BIRD, OpenBGPD), so no caller
 * can put text into a configuration file.
 */

import type { EdgeCapabilities } from './capabilities.ts'
import type { RejectionCode } from './rejections.ts'
import type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute, SentQuery } from './seen-routes.ts'

export { ALL_CAPABILITIES, type EdgeCapabilities } from './capabilities.ts'
export { REJECTION_REASONS, type RejectionCode } from './rejections.ts'
export type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute } from './seen-routes.ts'

export interface EdgeNeighbor {
  readonly family: 4 | 6
  /** Our address for the session, on the segment of the customer's router. */
  readonly localAddress: string
  readonly peerAddress: string
  /**
   * Routes that may be received before the edge closes the session; by default {@link receiveLimit} of the approved
   * prefixes.
   */
  readonly receiveLimit?: number
  /** True: down although the customer is enabled, because it exceeded its limit, until that is cleared. */
  readonly overLimit?: boolean
  /**
   * True: the edge runs BFD towards the router (RFC 5880, RFC 5882). The session stays up if the router never answers
   * BFD.
   */
  readonly bfd?: boolean
}

export interface EdgePrefix {
  /** Canonical text. */
  readonly prefix: string
  /** The only AS that may originate it. */
  readonly origin: number
  /** It has a ROA, so an edge without RPKI data refuses it: a route that it cannot validate may be a hijack. */
  readonly roa?: boolean
}

/** The routes that we send to the customer. */
export type EdgeExport = 'default' | 'full' | 'default-and-full'

export interface EdgeCustomer {
  /** A stable number from which the names of protocols and filters derive. At most 999999. */
  readonly id: number
  readonly asn: number
  /** False: sessions are configured but held down on purpose; the peer receives Cease (RFC 4486). */
  readonly enabled: boolean
  /**
   * Why it is not enabled: the peer receives it when the sessions go down (RFC 9003). See {@link shutdownMessageIssue}.
   */
  readonly shutdownMessage?: string
  /** True: the routes are a last resort (RFC 8326), so that traffic leaves before the sessions are held down. */
  readonly drained?: boolean
  readonly neighbors: readonly EdgeNeighbor[]
  /**
   * The prefixes that the customer may announce: exact matches only. More specific host routes inside them are accepted
   * as blackholes (RFC 7999).
   */
  readonly accept: readonly EdgePrefix[]
  /** Prefixes that the edge originates towards this customer's router. */
  readonly statics: readonly { readonly prefix: string; readonly nextHop: string }[]
  /** Host routes whose traffic the edge drops. Upstreams that accept blackholes are asked to drop it too (RFC 7999). */
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

/** Session states of RFC 4271 section 8, and DISABLED when switched off on purpose. */
export type SessionState = 'IDLE' | 'CONNECT' | 'ACTIVE' | 'OPENSENT' | 'OPENCONFIRM' | 'ESTABLISHED' | 'DISABLED'

/** BFD state. `NO_ANSWER` while the BGP session is up and the router does not run BFD with us. */
export type BfdState = 'UP' | 'DOWN' | 'NO_ANSWER'

export interface EdgeSession {
  readonly customerId: number
  readonly family: 4 | 6
  readonly state: SessionState
  readonly since: Date | null
  /** Routes received / accepted of these by the filter / sent to the customer. */
  readonly received: number
  readonly accepted: number
  readonly exported: number
  readonly lastError: string | null
  /** It was closed because it exceeded its route limit, and stays closed until a load that changes that. */
  readonly tripped?: boolean
  /** Absent if the edge runs no BFD for it. */
  readonly bfd?: BfdState
}

/** A BGP session with another network, from the operator's own configuration. */
export interface UpstreamSession {
  /** Its name in that configuration, unique on the edge. */
  readonly name: string
  readonly asn: number
  readonly address: string
  /** `DISABLED`: the operator switched it off; a session that the edge shut down is `IDLE`. */
  readonly state: SessionState
  readonly since: Date | null
  /** The sum of both families, if the session carries both. */
  readonly received: number
  readonly exported: number
  readonly lastError: string | null
}

/**
 * An update from an upstream of which the edge accepted nothing. It excludes rejections by the customers' rules or
 * RPKI.
 */
export interface UpstreamRejection {
  /** The name of the upstream's session. */
  readonly upstream: string
  /** Canonical text; null if the edge does not say which prefix. */
  readonly prefix: string | null
  readonly rejection: RejectionCode
  readonly at: Date
}

export interface UpstreamRejections {
  /** Why the edge's log cannot be read: reasons that appear only there are missing, also for customers. */
  readonly logError: string | null
  /** Newest first, see {@link latestRejections}. */
  readonly rejections: readonly UpstreamRejection[]
}

export const MAX_REJECTIONS = 200
/** Keeps an upstream that sends garbage from hiding the others. */
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

/** The maximum number of upstreams of an edge; further ones are not reported. */
export const MAX_UPSTREAMS = 100

/** Returns why a shutdown message is invalid, or null: BIRD's strings have no escapes, and RFC 8203 allows 128 bytes. */
export const shutdownMessageIssue = (text: string): string | null =>
  text !== '' &&
  text.isWellFormed() &&
  !/[\p{C}\p{Zl}\p{Zp}"\\]/u.test(text) &&
  new TextEncoder().encode(text).length <= SHUTDOWN_MESSAGE_BYTES
    ? null
    : `takes 1 to ${SHUTDOWN_MESSAGE_BYTES} bytes of text in one line, without quotes and backslashes`

/** RFC 8203 section 2. RFC 9003 allows 255, but older routers truncate or refuse that. */
export const SHUTDOWN_MESSAGE_BYTES = 128

/**
 * Returns how many routes of a family a customer may send before the session is closed with Cease (RFC 4486 subcode 1).
 * There is room for every approved prefix, for mistakes that the filter explains, and for a burst of blackholes, but
 * not for a full table.
 */
export const receiveLimit = (approved: number): number => 200 + 4 * approved

/**
 * Returns the limit of accepted routes: half of the received ones, with room for the approved prefixes and a burst of
 * blackholes. It closes the session too: routes that BIRD only blocks stay blocked when there is room again.
 */
export const importLimit = (received: number, approved: number): number =>
  Math.max(Math.ceil(received / 2), approved, 1)

export interface EdgeRoute {
  readonly prefix: string
  readonly origin: number | null
  readonly accepted: boolean
  readonly rejection: RejectionCode | null
  /** Whether the edge announces it to an upstream; absent if the edge cannot tell. */
  readonly exported?: boolean
}

/** The RPKI data of the edge itself, which validates origins independently of the portal. */
export interface EdgeRpki {
  /** VRPs, each counted once however many caches sent it. */
  readonly vrps: number
  /** Its sessions to RTR caches (RFC 8210). */
  readonly caches: readonly { readonly name: string; readonly up: boolean; readonly status: string }[]
}

/** A router on one of the edge's segments, from the leases. */
export interface SegmentHost {
  readonly address: string
  /** Lower-case, colon separated. */
  readonly mac: string
  /** The edge's own address on that segment, in the family of `address`, or IPv6 for a link-local one. */
  readonly gateway: string
}

/** The part of a customer's running configuration that decides which routes are accepted. */
export interface CarriedCustomer {
  readonly id: number
  readonly asn: number
  readonly enabled: boolean
  readonly accept: readonly { readonly prefix: string; readonly origin: number }[]
  /** Prefixes that the edge originates. */
  readonly statics: readonly string[]
}

export interface ApplyResult {
  /** Digest of the desired state that now runs; equal states have equal digests. */
  readonly generation: string
  /** False if the edge already ran exactly this state. */
  readonly changed: boolean
}

export interface EdgeDriver {
  readonly kind: 'bird' | 'openbgpd' | 'simulated'
  /** `generationOf` and `apply` refuse a state that needs more, with the name of the field. */
  readonly capabilities: EdgeCapabilities
  /** Returns the digest of a desired state, without contacting the edge. */
  generationOf(state: EdgeDesiredState): string
  /**
   * Makes the edge run this state, or leaves it unchanged: render, check, load with the edge's own timer, verify,
   * confirm. If the process is killed in the middle, the edge rolls back on its own. Serialized per edge.
   */
  apply(state: EdgeDesiredState): Promise<ApplyResult>
  /** Returns the generation that the edge reports; null before the first load. */
  running(): Promise<{ generation: string | null; version: string }>
  /** Returns the prefixes that the running state accepts, as the edge reports them; null without a load. */
  carried(): Promise<CarriedCustomer[] | null>
  sessions(): Promise<EdgeSession[]>
  /** Returns its sessions with other networks by name, which `apply` never changes. At most {@link MAX_UPSTREAMS}. */
  upstreams(): Promise<UpstreamSession[]>
  /**
   * Returns the last day's routes with paths that no network may send (RFC 5065, RFC 9774), and what
   * `capabilities.malformedUpdates` adds.
   */
  refusedFromUpstreams(): Promise<UpstreamRejections>
  /**
   * Returns every route that this customer announces, with the verdict on each, and the routes that the edge originates
   * for it. At most `limit`.
   */
  routes(customerId: number, limit?: number): Promise<EdgeRoute[]>
  /** Returns the routes that this customer announces; rejected routes come first when there are more than `limit`. */
  receivedRoutes(customerId: number, limit: number): Promise<RouteList<ReceivedRoute>>
  /** Returns the routes sent to the customer. Only the beginning of a full table is read: use `within`. */
  sentRoutes(customerId: number, query: SentQuery): Promise<RouteList<SeenRoute>>
  /**
   * Returns the routes of the longest prefix that covers `target`, a prefix in canonical text, and which of them is
   * used.
   */
  candidates(target: string, limit: number): Promise<RouteList<CandidateRoute>>
  /** Returns null if this edge does not validate origins. */
  rpki(): Promise<EdgeRpki | null>
  /**
   * Makes exactly these entries of ours permanent in the neighbor tables: ARP and neighbor discovery then cannot change
   * who has such an address. The operator's entries stay. Throws `refused` with what to do if an entry cannot be
   * written; the others are still written.
   */
  pinNeighbors(hosts: readonly SegmentHost[]): Promise<{ changed: number }>
  /** Returns the entries that {@link pinNeighbors} wrote and that still exist, unordered. */
  pinnedNeighbors(): Promise<{ address: string; mac: string }[]>
  close(): Promise<void>
}

/**
 * `refused`: the edge does not accept this configuration, and a retry is pointless until the state changes.
 * `unreachable`: try again.
 */
export class EdgeError extends Error {
  override readonly name = 'EdgeError'
  readonly kind: 'unreachable' | 'refused' | 'timeout' | 'rolled-back' | 'internal'
  constructor(kind: EdgeError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
