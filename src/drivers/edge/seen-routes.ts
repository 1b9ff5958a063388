/** Routes of an edge for the looking glass. Each list is bounded and says whether there are more. */
import type { RejectionCode } from './rejections.ts'

export interface SeenRoute {
  /** Canonical text. */
  readonly prefix: string
  /** The AS path, such as `500010 {500011 500012}`; empty for routes that the edge originates. */
  readonly asPath: string
  readonly origin: number | null
  /** `64500:1`, and large ones `64500:1:2`; never the edge's own. At most 32. */
  readonly communities: readonly string[]
  readonly since: Date | null
}

export interface ReceivedRoute extends SeenRoute {
  readonly nextHop: string | null
  readonly accepted: boolean
  readonly rejection: RejectionCode | null
}

/** A route for one destination, with the attributes that decide between several (RFC 4271 section 9.1). */
export interface CandidateRoute extends SeenRoute {
  readonly best: boolean
  readonly source: 'customer' | 'upstream' | 'own'
  /** The customer who announces it, or for whom the edge originates it. */
  readonly customerId: number | null
  readonly nextHop: string | null
  /** How much the edge prefers the protocol of the route. */
  readonly preference: number
  readonly localPreference: number | null
  readonly originType: 'IGP' | 'EGP' | 'INCOMPLETE' | null
  readonly med: number | null
  readonly blackhole: boolean
}

export interface RouteList<R> {
  readonly routes: readonly R[]
  /** False: there are more than the limit. */
  readonly complete: boolean
}

export interface SentQuery {
  /** Only routes that cover this prefix or are inside it; canonical text. */
  readonly within?: string | undefined
  readonly limit: number
}
