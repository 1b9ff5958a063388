/**
 * Autonomous system numbers: unsigned 32-bit (RFC 6793), written `AS64500` (asplain, RFC 5396).
 */

export const MAX_ASN = 4_294_967_295

/** Ranges that no customer can hold, each with the document that set it aside. */
const RESERVED: readonly { from: number; to: number; why: string }[] = [
  { from: 0, to: 0, why: 'AS0 is reserved and may not be used in BGP (RFC 7607)' },
  { from: 23456, to: 23456, why: 'AS23456 is AS_TRANS, a placeholder for 32-bit numbers (RFC 6793)' },
  { from: 64496, to: 64511, why: 'it is set aside for documentation (RFC 5398)' },
  { from: 64512, to: 65534, why: 'it is for private use (RFC 6996)' },
  { from: 65535, to: 65535, why: 'the last 16-bit number is reserved (RFC 7300)' },
  { from: 65536, to: 65551, why: 'it is set aside for documentation (RFC 5398)' },
  { from: 65552, to: 131071, why: 'it is reserved by IANA' },
  { from: 4_200_000_000, to: 4_294_967_294, why: 'it is for private use (RFC 6996)' },
  { from: MAX_ASN, to: MAX_ASN, why: 'the last 32-bit number is reserved (RFC 7300)' },
]

/**
 * Parses `AS64500`, `as64500` or `64500`. Returns null for anything but a 32-bit number. Reserved numbers parse too:
 * see {@link reservedAsnReason}.
 */
export function parseAsn(text: string): number | null {
  const match = /^(?:AS)?(\d{1,10})$/i.exec(text.trim())
  if (!match) return null
  const asn = Number(match[1])
  return asn <= MAX_ASN ? asn : null
}

/** Returns why a customer cannot hold this number, or null if one can. */
export function reservedAsnReason(asn: number): string | null {
  if (!Number.isInteger(asn) || asn < 0 || asn > MAX_ASN) return 'an ASN is a whole number from 0 to 4294967295'
  return RESERVED.find((range) => asn >= range.from && asn <= range.to)?.why ?? null
}

/**
 * Returns the ranges of {@link reservedAsnReason} as `[from, to]` pairs, for filters that reject them in an AS path.
 */
export function reservedAsnRanges(): readonly (readonly [number, number])[] {
  return RESERVED.map((range) => [range.from, range.to] as const)
}

export const formatAsn = (asn: number): string => `AS${asn}`
