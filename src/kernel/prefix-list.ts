/** Parses pasted lists of prefixes, and turns address ranges into the prefixes that cover them. Pure. */
import { familyBits, formatPrefix, parseAddress, type Address, type Prefix } from './prefix.ts'

export interface ListEntry {
  /** The text as pasted; a range has its spaces removed. */
  readonly text: string
  /** Starts at 1. */
  readonly line: number
}

/**
 * Splits a pasted list into its entries. Line ends, commas, semicolons and spaces separate them, and `#` begins a
 * comment. A `-` at the beginning of a line is a bullet; between two addresses it makes a range.
 */
export function splitPrefixList(text: string): ListEntry[] {
  const entries: ListEntry[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.split('#', 1)[0]!
    let joins = false
    let onLine = 0
    for (const token of content.split(/[\s,;]+/)) {
      if (token === '') continue
      const last = entries.at(-1)
      if (isDash(token) && onLine === 0) continue
      if (onLine > 0 && last && (joins || isDash(token.charAt(0)))) {
        entries[entries.length - 1] = { ...last, text: last.text + token }
      } else {
        entries.push({ text: token, line: index + 1 })
        onLine++
      }
      joins = isDash(token.charAt(token.length - 1))
    }
  }
  return entries
}

const isDash = (text: string): boolean => text === '-' || text === '–' || text === '—'

export interface AddressRange {
  /** The prefixes that cover exactly the range; empty if it is not a valid range. */
  readonly prefixes: readonly Prefix[]
  /** Why the range is rejected, with the prefixes to enter instead. */
  readonly problem: string
}

/** Parses `10.0.0.0-10.0.3.255`; returns null if the text is not a range. */
export function readRange(text: string): AddressRange | null {
  const ends = text.trim().split(/\s*[-–—]\s*/)
  if (ends.length !== 2) return null
  const [from, to] = ends.map((end) => parseAddress(end.split('/', 1)[0]!)) as [Address | null, Address | null]
  if (!from || !to) return null
  if (from.family !== to.family) return { prefixes: [], problem: 'a range begins and ends in the same address family' }
  if (to.value < from.value) return { prefixes: [], problem: 'the range ends before it begins' }
  const prefixes = coverRange(from, to.value)
  const named = prefixes.slice(0, MOST_NAMED).map(formatPrefix).join(', ')
  const more = prefixes.length - MOST_NAMED
  return { prefixes, problem: `a range is not accepted; enter ${named}${more > 0 ? ` and ${more} more` : ''}` }
}

const MOST_NAMED = 8

function coverRange({ family, value }: Address, last: bigint): Prefix[] {
  const bits = familyBits(family)
  const prefixes: Prefix[] = []
  for (let at = value; at <= last;) {
    let length: number = bits
    // Take the largest block that begins here and ends within the range.
    for (; length > 0; length--) {
      const size = 1n << BigInt(bits - length + 1)
      if (at % size !== 0n || at + size - 1n > last) break
    }
    prefixes.push({ family, network: at, length })
    at += 1n << BigInt(bits - length)
  }
  return prefixes
}
