/** The Internet Routing Registry over the IRRd whois protocol. Answers are hostile input: sizes and depths are capped. */
import type { Prefix } from '../../kernel/prefix.ts'

export interface RouteObject {
  /** Canonical text of the route or route6 object. */
  readonly prefix: string
  readonly origin: number
  /** The registry with the object, for example RIPE. */
  readonly source: string
}

export interface AsSetObject {
  /** Without its source, in upper case. */
  readonly name: string
  readonly source: string
  readonly maintainers: readonly string[]
  /** Maintainers whose ASNs may join with `member-of`; `ANY` for all (RFC 2622 section 5.1). */
  readonly membersByRef: readonly string[]
}

export interface AsSetMember {
  readonly asn: number
  /** The sets that lead to it, the requested one first, each as `SOURCE::NAME`. */
  readonly path: readonly string[]
  /** No path to it leads only through authoritative registries. */
  readonly weak: boolean
}

export interface ExpandedAsSet {
  readonly kind: 'found'
  readonly object: AsSetObject
  /** In numeric order. */
  readonly members: readonly AsSetMember[]
  /** Listed, but private, reserved or AS0: never a member. */
  readonly reserved: readonly number[]
  /** The set is larger or deeper than the limits: an ASN that is missing here may still be in it. */
  readonly truncated: boolean
}

export type AsSetAnswer =
  | ExpandedAsSet
  /** Several authoritative registries have different sets with this name: a `SOURCE::NAME` has to say which. */
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] }
  | { readonly kind: 'missing' }

export interface AutNumObject {
  readonly asn: number
  readonly source: string
  readonly maintainers: readonly string[]
  /** Sets that the ASN's holder says it is in, in upper case. */
  readonly memberOf: readonly string[]
  /** The ASNs from which its import lines accept any route, unless its export lines announce any route to them. */
  readonly providers: readonly number[]
}

export interface IrrSource {
  /** Returns the objects for exactly this prefix and for every less specific one. */
  routeObjects(prefix: Prefix, signal?: AbortSignal): Promise<RouteObject[]>
  /**
   * Returns the set with all its ASNs, level by level. A nested set is looked up in its parent's registry first, and
   * only then elsewhere.
   */
  expandAsSet(name: string, signal?: AbortSignal): Promise<AsSetAnswer>
  /**
   * Returns the route and route6 objects of these origins, at most a thousand of each. Registries without an ASN have
   * no objects of it.
   */
  originated(asns: readonly number[], signal?: AbortSignal): Promise<RouteObject[]>
  /** Returns the objects of each registry for an ASN, in order of trust. */
  autNums(asn: number, signal?: AbortSignal): Promise<AutNumObject[]>
  close(): Promise<void>
}

/**
 * The registries of the numbers themselves: they know who holds an ASN, and accept its objects only from the holder.
 * Anyone may have written the objects of other registries, including the copies that registries name `…-NONAUTH`.
 */
const AUTHORITATIVE: ReadonlySet<string> = new Set(['AFRINIC', 'APNIC', 'ARIN', 'LACNIC', 'RIPE'])
export const isAuthoritative = (source: string): boolean => AUTHORITATIVE.has(source)

/**
 * Returns whether a text can be an AS-SET name: `AS-EXAMPLE`, `AS64500:AS-CUSTOMERS`, optionally with `SOURCE::` in
 * front (RFC 2622 section 5).
 */
export const isAsSetName = (text: string): boolean =>
  text.length <= 80 &&
  /^(?:[A-Z][A-Z0-9-]{0,15}::)?(?:AS\d{1,10}:|AS-[A-Z0-9_-]+:)*AS-[A-Z0-9_-]+(?::(?:AS\d{1,10}|AS-[A-Z0-9_-]+))*$/i.test(
    text,
  )

/** Splits a name that {@link isAsSetName} accepts, in upper case. */
export function splitAsSetName(text: string): { source: string | null; name: string } {
  const [source, name] = text.toUpperCase().split('::')
  return name === undefined ? { source: null, name: source! } : { source: source!, name }
}

export class IrrError extends Error {
  override readonly name = 'IrrError'
  readonly kind: 'unreachable' | 'timeout' | 'protocol'
  constructor(kind: IrrError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
