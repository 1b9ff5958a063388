import { MAX_ASN } from '../../../kernel/asn.ts'
import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import type { RejectionCode } from '../index.ts'
import type { CandidateRoute, SeenRoute } from '../seen-routes.ts'
import { parseTime } from './parse-protocols.ts'
import { knownRejection } from './parse-routes.ts'
import type { Reply } from './reply.ts'

/** A route of `show route … all`, with BIRD's own values. */
export interface BirdRoute extends SeenRoute {
  readonly protocol: string
  readonly primary: boolean
  readonly dest: string
  readonly preference: number
  readonly nextHop: string | null
  readonly localPreference: number | null
  readonly originType: CandidateRoute['originType']
  readonly med: number | null
  readonly rejection: RejectionCode | null
  /** The third part of the edge's own large communities `(ASN, 1, x)`: 1 customer, 2 upstream, 3 own. */
  readonly mark: number | null
}

type Open = { -readonly [K in keyof BirdRoute]: BirdRoute[K] } & { communities: string[] }

/** A neighbor may send thousands, which no one reads. */
const MAX_COMMUNITIES = 32
const MAX_PATH_TEXT = 1_000
/**
 * Customers request actions with `(ASN, 1000, x)`; all other communities of our ASN belong to the edge itself, see
 * `policy.bird`.
 */
const ASKED_FOR = 1000

/**
 * `45.30.10.0/24  unicast [lh_c10_v4 2026-11-23T01:38:28+0000] * (100) [AS500010i]`; further routes of a prefix omit
 * it.
 */
const HEAD = /^(\S*)\s+(\w+) \[(\w+) (\S+)(?: from [^\]]+)?\]( \*)? \((\d{1,5})/
const ATTRIBUTE = /^\s*BGP\.(\w+): ?(.*)$/

/** Parses `show route … all`. Skips other lines, and the last route of a truncated reply. */
export function parseSeen(reply: Reply, localAsn: number): BirdRoute[] {
  const routes: Open[] = []
  let prefix: string | null = null
  for (const { text } of reply.lines) {
    const head = HEAD.exec(text)
    if (head) {
      const parsed = head[1] === '' ? null : tryParsePrefix(head[1]!)
      if (parsed) prefix = formatPrefix(parsed)
      if (prefix !== null) routes.push(openRoute(prefix, head))
      continue
    }
    const route = routes.at(-1)
    const attribute = ATTRIBUTE.exec(text)
    if (route && attribute) addAttribute(route, attribute[1]!, attribute[2]!.trim(), localAsn)
  }
  return reply.truncated ? routes.slice(0, -1) : routes
}

function openRoute(prefix: string, [, , dest, protocol, since, primary, preference]: RegExpExecArray): Open {
  return {
    prefix,
    asPath: '',
    origin: null,
    communities: [],
    since: parseTime(since!),
    protocol: protocol!,
    primary: primary !== undefined,
    dest: dest!,
    preference: Number(preference),
    nextHop: null,
    localPreference: null,
    originType: null,
    med: null,
    rejection: null,
    mark: null,
  }
}

function addAttribute(route: Open, name: string, value: string, localAsn: number): void {
  if (name === 'as_path') {
    route.asPath = value.slice(0, MAX_PATH_TEXT)
    // An AS_SET at the end means that there is no single origin (RFC 6811 section 2).
    const last = /(?:^|\s)(\d{1,10})$/.exec(value)?.[1]
    route.origin = last !== undefined && Number(last) <= MAX_ASN ? Number(last) : null
  } else if (name === 'next_hop') {
    // In IPv6 a link-local address may follow it (RFC 2545 section 3).
    route.nextHop = /^[0-9a-f.:]{2,39}/.exec(value)?.[0] ?? null
  } else if (name === 'origin') {
    route.originType = ORIGINS[value.toLowerCase()] ?? null
  } else if (name === 'local_pref') route.localPreference = numberIn(value)
  else if (name === 'med') route.med = numberIn(value)
  else if (name === 'community') {
    for (const [, high, low] of value.matchAll(/\((\d+),(\d+)\)/g)) addCommunity(route, `${high}:${low}`)
  } else if (name === 'large_community') {
    for (const [, asn, kind, part] of value.matchAll(/\((\d+), (\d+), (\d+)\)/g)) {
      if (Number(asn) === localAsn && kind === '1101') route.rejection = knownRejection(Number(part))
      if (Number(asn) === localAsn && kind === '1') route.mark = Number(part)
      if (Number(asn) !== localAsn || Number(kind) === ASKED_FOR) addCommunity(route, `${asn}:${kind}:${part}`)
    }
  }
}

const ORIGINS: Readonly<Record<string, CandidateRoute['originType']>> = {
  igp: 'IGP',
  egp: 'EGP',
  incomplete: 'INCOMPLETE',
}

function addCommunity(route: Open, community: string): void {
  if (route.communities.length < MAX_COMMUNITIES) route.communities.push(community)
}

const numberIn = (text: string): number | null => (/^\d{1,10}$/.test(text) ? Number(text) : null)
