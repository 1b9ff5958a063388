/**
 * Why the edge refused a route; the numbers are those of the large community (ASN, 1101, code). Codes 15 to 17 never
 * appear in one: BIRD drops such an update itself, and only logs it.
 */
export const REJECTION_REASONS = {
  1: 'the first AS of the path is not the neighbour (RFC 4271 section 6.3)',
  2: 'the AS path has more than 32 ASes',
  3: 'the path contains a reserved or private ASN',
  4: 'the path contains a transit-free network: a route leak (RFC 7908)',
  5: 'the prefix is a bogon',
  6: 'the prefix is too short',
  7: 'the origin AS is not authorized on this session',
  8: 'the next hop is not the neighbour',
  9: 'a blackhole outside the approved prefixes, or not a host route (RFC 7999)',
  10: 'longer than /24 or /48',
  11: 'the prefix is not approved',
  12: 'RPKI Invalid (RFC 6811)',
  13: 'the prefix has a ROA and the edge has no RPKI data to check it with',
  14: 'the AS path contains an AS_SET (RFC 9774)',
  15: 'the AS path contains a confederation segment (RFC 5065)',
  16: 'a route leak by its Only-to-Customer attribute (RFC 9234)',
  17: 'a malformed path attribute (RFC 7606)',
  18: 'the AS path contains our own ASN: a loop (RFC 4271 section 9.1.2)',
} as const
export type RejectionCode = keyof typeof REJECTION_REASONS
