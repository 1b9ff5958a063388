/**
 * UPDATE messages (RFC 4271 section 4.3) as hexadecimal text, for test speakers that send what no correct one would.
 */
import { parseAddress, parsePrefix, type Family } from '../../../kernel/prefix.ts'

/**
 * An AS_PATH as BIRD prints it, for example `500010 {500011 500012} 500010`: `{}` is an AS_SET, `()` an
 * AS_CONFED_SEQUENCE and `[]` an AS_CONFED_SET (RFC 5065). A `|` begins another AS_SEQUENCE, as in a path merged from
 * AS_PATH and AS4_PATH (RFC 6793 section 4.2.3).
 */
export type Path = string

export const hex8 = (value: number): string => value.toString(16).padStart(2, '0')
export const hex16 = (value: number): string => value.toString(16).padStart(4, '0')
const hex32 = (value: number): string => value.toString(16).padStart(8, '0')
export const byteLength = (hex: string): number => hex.length / 2

/** A path attribute with the two-byte length that fits every value (RFC 4271 section 4.3). */
export const attribute = (flags: number, type: number, value: string): string =>
  `${hex8(flags | 0x10)}${hex8(type)}${hex16(byteLength(value))}${value}`

const SEGMENT_TYPES: Readonly<Record<string, string>> = { '{': '01', '(': '03', '[': '04' }

export function encodePath(path: Path): string {
  const segments = path.match(/\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|[^{}()[\]|]+/g) ?? []
  return segments
    .filter((segment) => segment.trim() !== '')
    .map((segment) => {
      const numbers = segment.match(/\d+/g)!.map(Number)
      return `${SEGMENT_TYPES[segment[0]!] ?? '02'}${hex8(numbers.length)}${numbers.map(hex32).join('')}`
    })
    .join('')
}

export interface RawAnnouncement {
  readonly prefix: string
  readonly path: Path
  readonly communities?: readonly (readonly [number, number])[]
  readonly largeCommunities?: readonly (readonly [number, number, number])[]
  /** Used instead of the sender's own address. */
  readonly nextHop?: string
  /** The ASN in the Only-to-Customer attribute (RFC 9234). */
  readonly otc?: number
}

/** Returns the body of an UPDATE that announces one prefix. */
export function encodeUpdate(route: RawAnnouncement, own: Readonly<Record<Family, string>>): string {
  const prefix = parsePrefix(route.prefix)
  const { family } = prefix
  const nextHop = encodeAddress(route.nextHop ?? own[family])
  const nlri = encodePrefix(route.prefix)
  const attributes = [
    '40010100',
    attribute(0x40, 2, encodePath(route.path)),
    ...(family === 4 ? [attribute(0x40, 3, nextHop)] : []),
    ...(route.communities ? [attribute(0xc0, 8, route.communities.flat().map(hex16).join(''))] : []),
    ...(family === 6 ? [attribute(0x80, 14, `000201${hex8(byteLength(nextHop))}${nextHop}00${nlri}`)] : []),
    ...(route.largeCommunities ? [attribute(0xc0, 32, route.largeCommunities.flat().map(hex32).join(''))] : []),
    ...(route.otc === undefined ? [] : [attribute(0xc0, 35, hex32(route.otc))]),
  ].join('')
  return `0000${hex16(byteLength(attributes))}${attributes}${family === 4 ? nlri : ''}`
}

function encodeAddress(text: string): string {
  const { family, value } = parseAddress(text)!
  return value.toString(16).padStart(family === 4 ? 8 : 32, '0')
}

function encodePrefix(text: string): string {
  const { length } = parsePrefix(text)
  return hex8(length) + encodeAddress(text.split('/')[0]!).slice(0, 2 * Math.ceil(length / 8))
}
