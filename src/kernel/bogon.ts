/**
 * Prefixes that must never cross a border between networks: the list of RFC 6890 and its registry. The portal, the
 * checks and the edge's filter use the same data, so they refuse the same space.
 */
import { containsPrefix, overlaps, parsePrefix, type Family, type Prefix } from './prefix.ts'

const SPECIAL: readonly (readonly [prefix: string, why: string])[] = [
  ['0.0.0.0/8', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'private use (RFC 1918)'],
  ['100.64.0.0/10', 'shared address space (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link local (RFC 3927)'],
  ['172.16.0.0/12', 'private use (RFC 1918)'],
  ['192.0.0.0/24', 'protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.88.99.0/24', 'former 6to4 relay anycast (RFC 7526)'],
  ['192.168.0.0/16', 'private use (RFC 1918)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/3', 'multicast and reserved (RFC 5771, RFC 1112)'],
  ['2001::/32', 'Teredo (RFC 4380)'],
  ['2001:2::/48', 'benchmarking (RFC 5180)'],
  ['2001:10::/28', 'former ORCHID (RFC 4843)'],
  ['2001:20::/28', 'ORCHIDv2 (RFC 7343)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2002::/16', '6to4 (RFC 3056)'],
  ['3ffe::/16', 'former 6bone (RFC 3701)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
]

const special = SPECIAL.map(([text, why]) => ({ prefix: parsePrefix(text), text, why }))
const GLOBAL_UNICAST_V6 = parsePrefix('2000::/3')

/**
 * Returns why this prefix may not be announced to anyone, or null. A prefix that covers special space is a bogon too.
 */
export function bogonReason(prefix: Prefix): string | null {
  if (prefix.length === 0) return 'it is the default route'
  if (prefix.family === 6 && !containsPrefix(GLOBAL_UNICAST_V6, prefix))
    return 'it is outside 2000::/3, the global unicast space (RFC 4291)'
  const hit = special.find((entry) => overlaps(entry.prefix, prefix))
  return hit ? `it is inside or covers ${hit.text}: ${hit.why}` : null
}

/** Returns the special prefixes of one family, in canonical text. */
export const specialPrefixes = (family: Family): string[] =>
  special.filter((entry) => entry.prefix.family === family).map((entry) => entry.text)

/** The longest prefix that networks accept by convention: /24 and /48. */
export const longestAnnounced = (family: Family): number => (family === 4 ? 24 : 48)
/** The shortest prefix that was ever allocated: /8 and /16. */
export const shortestAnnounced = (family: Family): number => (family === 4 ? 8 : 16)
