/**
 * VRPs as columns of numbers: a million are a few megabytes without objects, and can be transferred between threads.
 * Addresses are 32-bit words, most significant first: one per row for IPv4, four for IPv6.
 */
import { familyBits, type Family, type Prefix } from '../../kernel/prefix.ts'

export interface VrpColumns {
  readonly family: Family
  readonly count: number
  /** `count` rows of {@link wordsPer} words. */
  readonly words: Uint32Array
  readonly lengths: Uint8Array
  readonly maxLengths: Uint8Array
  readonly asns: Uint32Array
}

export const wordsPer = (family: Family): 1 | 4 => (family === 4 ? 1 : 4)

/** The network address as words. */
export function toWords(prefix: Prefix): number[] {
  if (prefix.family === 4) return [Number(prefix.network)]
  return [
    Number(prefix.network >> 96n),
    Number((prefix.network >> 64n) & 0xffff_ffffn),
    Number((prefix.network >> 32n) & 0xffff_ffffn),
    Number(prefix.network & 0xffff_ffffn),
  ]
}

/** Reverses {@link toWords} for the row that starts at word `at`. */
export function fromWords(family: Family, words: Uint32Array, at: number, length: number): Prefix {
  let network = 0n
  for (let word = 0; word < wordsPer(family); word++) network = (network << 32n) | BigInt(words[at + word]!)
  return { family, network, length }
}

/** The bits of word `word` after the prefix length: all ones if that is the whole word. */
export function hostBits(length: number, word: number): number {
  const inside = length - word * 32
  if (inside <= 0) return 0xffff_ffff
  return inside >= 32 ? 0 : 0xffff_ffff >>> inside
}

/** Collects rows of one family. It rejects rows that no ROA can produce, so that the index need not check its input. */
export class VrpCollector {
  readonly family: Family
  #count = 0
  #words: Uint32Array
  #lengths: Uint8Array
  #maxLengths: Uint8Array
  #asns: Uint32Array

  constructor(family: Family, room = 1024) {
    this.family = family
    this.#words = new Uint32Array(room * wordsPer(family))
    this.#lengths = new Uint8Array(room)
    this.#maxLengths = new Uint8Array(room)
    this.#asns = new Uint32Array(room)
  }

  /**
   * Takes the network from `words`, starting at word `at`. Returns false, and adds nothing, for host bits, a maxLength
   * outside length..32 or 128, or an ASN that is not 32-bit.
   */
  add(words: ArrayLike<number>, length: number, maxLength: number, asn: number, at = 0): boolean {
    const stride = wordsPer(this.family)
    if (!(length >= 0 && length <= maxLength && maxLength <= familyBits(this.family)) || asn >>> 0 !== asn) return false
    for (let word = 0; word < stride; word++) if ((words[at + word]! & hostBits(length, word)) !== 0) return false
    if (this.#count === this.#lengths.length) this.#grow()
    for (let word = 0; word < stride; word++) this.#words[this.#count * stride + word] = words[at + word]!
    this.#lengths[this.#count] = length
    this.#maxLengths[this.#count] = maxLength
    this.#asns[this.#count] = asn
    this.#count += 1
    return true
  }

  columns(): VrpColumns {
    return {
      family: this.family,
      count: this.#count,
      words: this.#words.slice(0, this.#count * wordsPer(this.family)),
      lengths: this.#lengths.slice(0, this.#count),
      maxLengths: this.#maxLengths.slice(0, this.#count),
      asns: this.#asns.slice(0, this.#count),
    }
  }

  #grow(): void {
    const room = this.#lengths.length * 2
    const wider = <A extends Uint32Array | Uint8Array>(old: A, fresh: A): A => (fresh.set(old), fresh)
    this.#words = wider(this.#words, new Uint32Array(room * wordsPer(this.family)))
    this.#lengths = wider(this.#lengths, new Uint8Array(room))
    this.#maxLengths = wider(this.#maxLengths, new Uint8Array(room))
    this.#asns = wider(this.#asns, new Uint32Array(room))
  }
}
