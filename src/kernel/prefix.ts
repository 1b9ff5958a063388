/**
 * IP prefixes of both families as values: parse, print, compare, contain. The text form follows RFC 4632 (IPv4) and RFC
 * 5952 (IPv6: shortest form, lower case).
 */

export type Family = 4 | 6

export interface Prefix {
  readonly family: Family
  /** Network address as an unsigned integer: 32 bits for IPv4, 128 for IPv6. No host bits are set. */
  readonly network: bigint
  /** The prefix length in bits, 0 to 32 or 0 to 128. */
  readonly length: number
}

export interface Address {
  readonly family: Family
  readonly value: bigint
}

export const familyBits = (family: Family): 32 | 128 => (family === 4 ? 32 : 128)

/** Thrown by {@link parsePrefix}; `message` can be shown to users. */
export class PrefixError extends Error {
  override readonly name = 'PrefixError'
}

export function parseAddress(text: string): Address | null {
  const v4 = parseV4(text)
  if (v4 !== null) return { family: 4, value: v4 }
  const v6 = parseV6(text)
  return v6 === null ? null : { family: 6, value: v6 }
}

/** Parses `192.0.2.0/24` or `2001:db8::/32`. Throws {@link PrefixError} on anything else, including host bits. */
export function parsePrefix(text: string): Prefix {
  const trimmed = text.trim()
  const slash = trimmed.indexOf('/')
  if (slash < 0)
    throw new PrefixError(`"${clip(trimmed)}" has no length: write it as address/length, for example 192.0.2.0/24`)
  const address = parseAddress(trimmed.slice(0, slash))
  if (!address) throw new PrefixError(`"${clip(trimmed.slice(0, slash))}" is not an IPv4 or IPv6 address`)
  const lengthText = trimmed.slice(slash + 1)
  const length = /^(?:0|[1-9]\d{0,2})$/.test(lengthText) ? Number(lengthText) : Number.NaN
  const bits = familyBits(address.family)
  if (!(length >= 0 && length <= bits))
    throw new PrefixError(`the length of an IPv${address.family} prefix is a number from 0 to ${bits}`)
  const network = address.value & networkMask(address.family, length)
  const prefix: Prefix = { family: address.family, network, length }
  if (network !== address.value) throw new PrefixError(`host bits are set: did you mean ${formatPrefix(prefix)}?`)
  return prefix
}

export function tryParsePrefix(text: string): Prefix | null {
  try {
    return parsePrefix(text)
  } catch (error) {
    if (error instanceof PrefixError) return null
    throw error
  }
}

/**
 * Returns the prefix that an address or its first groups mean: `45.30` is 45.30.0.0/16, `2d10:10:` is 2d10:10::/32,
 * `10/8` is 10.0.0.0/8, `45.30.10.1` is the address itself. Returns null for anything else, including a single number,
 * which may be an ASN.
 */
export function prefixOfBeginning(text: string): string | null {
  const short = /^(\d{1,3}(?:\.\d{1,3}){0,2})\.?(\/\d{1,2})$/.exec(text)
  if (short) {
    const written = [...short[1]!.split('.'), '0', '0', '0'].slice(0, 4).join('.') + short[2]!
    return tryParsePrefix(written) ? written : null
  }
  const address = text.endsWith('::') ? null : parseAddress(text)
  if (address) return `${formatAddress(address)}/${familyBits(address.family)}`
  const octets = /^(\d{1,3}(?:\.\d{1,3}){0,2})\.(\d{1,3})?$/.exec(text) && text.split('.').filter(Boolean)
  if (octets) {
    const network = parseAddress([...octets, '0', '0', '0', '0'].slice(0, 4).join('.'))
    return network && `${formatAddress(network)}/${octets.length * 8}`
  }
  const groups =
    /^[\da-f]{1,4}(?::[\da-f]{1,4}){0,6}:(?::|[\da-f]{1,4})?$/i.test(text) && text.split(':').filter(Boolean)
  if (!groups) return null
  const network = parseAddress(`${groups.join(':')}::`)
  return network && `${formatAddress(network)}/${groups.length * 16}`
}

/**
 * Returns whether the text typed so far can begin an address or prefix: `4`, `2d10:1`, `10.0.0.0/`. Words of the
 * letters a to f do not count: the first group of an IPv6 address in use has a digit.
 */
export const isAddressBeginning = (text: string): boolean =>
  /^(?:\d{1,3}(?:\.\d{0,3}){0,3}|[\da-f]{1,4}(?::[\da-f]{0,4}){0,8})(?:\/\d{0,3})?$/i.test(text) && /\d/.test(text)

const masksOf = (bits: number): readonly bigint[] => {
  const all = (1n << BigInt(bits)) - 1n
  return Array.from({ length: bits + 1 }, (_, length) => all ^ (all >> BigInt(length)))
}
const MASKS = { 4: masksOf(32), 6: masksOf(128) } as const

/** `length` must be valid for the family. */
export const networkMask = (family: Family, length: number): bigint => MASKS[family][length]!

export const formatPrefix = (prefix: Prefix): string =>
  `${formatAddress({ family: prefix.family, value: prefix.network })}/${prefix.length}`

export function formatAddress(address: Address): string {
  return address.family === 4 ? formatV4(address.value) : formatV6(address.value)
}

/** Returns `::ffff:192.0.2.1` as `192.0.2.1` (RFC 4291 section 2.5.5.2) and any other text unchanged. */
export function unmapAddress(text: string): string {
  const address = text.includes(':') ? parseAddress(text) : null
  if (address?.family !== 6 || address.value >> 32n !== 0xffffn) return text
  return formatAddress({ family: 4, value: address.value & 0xffffffffn })
}

/** Returns the last address of the prefix (the broadcast address in IPv4 subnets). */
export function lastAddress(prefix: Prefix): bigint {
  return prefix.network | ((1n << BigInt(familyBits(prefix.family) - prefix.length)) - 1n)
}

/** Returns whether every address of `inner` is in `outer`; a prefix contains itself. */
export function containsPrefix(outer: Prefix, inner: Prefix): boolean {
  return (
    outer.family === inner.family &&
    outer.length <= inner.length &&
    (inner.network & networkMask(outer.family, outer.length)) === outer.network
  )
}

export const overlaps = (a: Prefix, b: Prefix): boolean => containsPrefix(a, b) || containsPrefix(b, a)

export const samePrefix = (a: Prefix, b: Prefix): boolean =>
  a.family === b.family && a.length === b.length && a.network === b.network

/** Orders IPv4 before IPv6, then by network, then shorter prefixes first. */
export function comparePrefixes(a: Prefix, b: Prefix): number {
  if (a.family !== b.family) return a.family - b.family
  if (a.network !== b.network) return a.network < b.network ? -1 : 1
  return a.length - b.length
}

function parseV4(text: string): bigint | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (!match) return null
  // Computes with numbers and converts at the end: the global routing table has a million prefixes.
  let value = 0
  for (let at = 1; at <= 4; at++) {
    const part = match[at]!
    // A leading zero means octal elsewhere (RFC 6943 section 3.1.1), so reject it rather than guess.
    if (part.length > 1 && part.startsWith('0')) return null
    const octet = Number(part)
    if (octet > 255) return null
    value = value * 256 + octet
  }
  return BigInt(value)
}

function parseV6(text: string): bigint | null {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return null
  let head = text
  let tail: bigint[] = []
  // The last 32 bits may be written as IPv4 (RFC 4291 section 2.2).
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted) {
    const v4 = parseV4(dotted[2]!)
    if (v4 === null) return null
    head = dotted[1]!.endsWith('::') ? dotted[1]! : dotted[1]!.slice(0, -1)
    tail = [v4 >> 16n, v4 & 0xffffn]
  } else if (text.includes('.')) return null
  const halves = head.split('::')
  if (halves.length > 2) return null
  const left = groups(halves[0]!)
  const right = halves.length === 2 ? groups(halves[1]!) : []
  if (!left || !right) return null
  const known = left.length + right.length + tail.length
  if (halves.length === 2 ? known > 7 : known !== 8) return null
  const all = [...left, ...Array.from({ length: 8 - known }, () => 0n), ...right, ...tail]
  return all.reduce((value, group) => (value << 16n) | group, 0n)
}

function groups(text: string): bigint[] | null {
  if (text === '') return []
  const result: bigint[] = []
  for (const group of text.split(':')) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return null
    result.push(BigInt(`0x${group}`))
  }
  return result
}

/** Computes with numbers, as {@link parseV4} does. */
function formatV4(value: bigint): string {
  const bits = Number(value)
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`
}

function formatV6(value: bigint): string {
  const parts: number[] = []
  for (let shift = 112n; shift >= 0n; shift -= 16n) parts.push(Number((value >> shift) & 0xffffn))
  let best = { start: -1, length: 1 } // RFC 5952 section 4.2.2: a single zero group is not shortened
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && parts[start + length] === 0) length++
    if (length > best.length) best = { start, length }
  }
  const hex = parts.map((part) => part.toString(16))
  if (best.start < 0) return hex.join(':')
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
