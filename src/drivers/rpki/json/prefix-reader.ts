import type { Family } from '../../../kernel/prefix.ts'
import { hostBits, wordsPer } from '../vrp-columns.ts'

const SLASH = 0x2f
const DOT = 0x2e
const COLON = 0x3a
const GROUPS = 8

/**
 * Parses a prefix as validators write it, `192.0.2.0/24` or `2001:db8::/32`, without creating strings or objects: an
 * export contains a million. Text that it does not understand may still be a prefix: `tryParsePrefix` handles it.
 */
export class PrefixReader {
  family: Family = 4
  length = 0
  /** The network, most significant word first; one for IPv4. */
  readonly words = new Uint32Array(4)
  readonly #groups = new Uint16Array(GROUPS)

  /**
   * Returns whether the bytes from `start` to before `end` are a prefix without host bits; only then are the fields
   * valid.
   */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.family = 4
    let slash = this.#readV4(bytes, start)
    if (slash < 0) {
      this.family = 6
      slash = this.#readV6(bytes, start)
    }
    if (slash < 0 || bytes[slash] !== SLASH) return false
    this.length = readDecimal(bytes, slash + 1, end)
    if (this.length < 0 || this.length > (this.family === 4 ? 32 : 128)) return false
    for (let word = 0; word < wordsPer(this.family); word++)
      if ((this.words[word]! & hostBits(this.length, word)) !== 0) return false
    return true
  }

  /** Returns the position after the address; negative if it is not one. */
  #readV4(bytes: Uint8Array, start: number): number {
    let at = start
    let address = 0
    for (let octets = 1; octets <= 4; octets++) {
      let end = at
      while (isDigit(bytes[end])) end++
      const octet = readDecimal(bytes, at, end)
      if (octet < 0 || octet > 255) return -1
      address = address * 256 + octet
      at = end
      if (octets < 4 && bytes[at++] !== DOT) return -1
    }
    this.words[0] = address
    return at
  }

  /** Returns the position after the address; negative if it is not one, or writes its last 32 bits as IPv4. */
  #readV6(bytes: Uint8Array, start: number): number {
    const groups = this.#groups
    let at = start
    let count = 0
    /** The number of groups before `::`. */
    let before = -1
    if (bytes[at] === COLON && bytes[at + 1] === COLON) {
      before = 0
      at += 2
    }
    while (count < GROUPS) {
      const from = at
      let group = 0
      for (let digit = hexDigit(bytes[at]); digit >= 0 && at < from + 4; digit = hexDigit(bytes[++at]))
        group = group * 16 + digit
      if (at === from) break
      groups[count++] = group
      if (bytes[at] !== COLON) break
      at++
      if (bytes[at] !== COLON) continue
      if (before >= 0) return -1
      before = count
      at++
    }
    if (bytes[at - 1] === COLON && before !== count) return -1
    if (before < 0 ? count !== GROUPS : count === GROUPS) return -1
    if (before >= 0) {
      groups.copyWithin(GROUPS - (count - before), before, count)
      groups.fill(0, before, GROUPS - (count - before))
    }
    for (let word = 0; word < 4; word++) this.words[word] = groups[2 * word]! * 0x1_0000 + groups[2 * word + 1]!
    return at
  }
}

/** Reads one to three digits without a leading zero; negative for anything else. */
function readDecimal(bytes: Uint8Array, start: number, end: number): number {
  const digits = end - start
  if (digits < 1 || digits > 3 || (digits > 1 && bytes[start] === 0x30)) return -1
  let value = 0
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at])) return -1
    value = value * 10 + bytes[at]! - 0x30
  }
  return value
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
