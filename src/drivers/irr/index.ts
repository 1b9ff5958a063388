/** The Internet Routing Registry over the IRRd whois protocol. Answers are hostile input: sizes and depths are capped. */
import type { Prefix } from '../../kernel/prefix.ts'

export interface RouteObject {
  /** Canonical text of the route or route6 object. */
  readonly prefix: string
  readonly origin: number
  /** The registry that holds it, for example RIPE. */
  readonly source: string
}

export interface IrrSource {
  /** Objects for exactly this prefix and for every less specific one. */
  routeObjects(prefix: Prefix, signal?: AbortSignal): Promise<RouteObject[]>
  /** All ASNs in an AS-SET, recursively; null when no registry has the set. */
  expandAsSet(name: string, signal?: AbortSignal): Promise<{ asns: number[]; truncated: boolean } | null>
  close(): Promise<void>
}

/** Whether a text can be an AS-SET name: `AS-EXAMPLE`, `AS64500:AS-CUSTOMERS`, optionally `SOURCE::` in front (RFC 2622 section 5). */
export const isAsSetName = (text: string): boolean =>
  text.length <= 80 &&
  /^(?:[A-Z][A-Z0-9-]{0,15}::)?(?:AS\d{1,10}:|AS-[A-Z0-9_-]+:)*AS-[A-Z0-9_-]+(?::(?:AS\d{1,10}|AS-[A-Z0-9_-]+))*$/i.test(
    text,
  )

export class IrrError extends Error {
  override readonly name = 'IrrError'
  readonly kind: 'unreachable' | 'timeout' | 'protocol'
  constructor(kind: IrrError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
