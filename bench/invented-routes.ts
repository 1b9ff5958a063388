/** Tables as large as the global ones, the same in every run. */
import { networkMask, type Family, type Prefix } from '../src/kernel/prefix.ts'

export interface InventedVrp {
  readonly prefix: Prefix
  readonly maxLength: number
  readonly asn: number
}

export interface Route {
  readonly prefix: Prefix
  readonly origin: number
}

/** One in five is IPv6, as in the global table; lengths from /16 and /32 on, and maxLength is mostly the length. */
export function inventVrps(count: number): InventedVrp[] {
  const random = seeded(1)
  return Array.from({ length: count }, () => {
    const family: Family = random() < 0.2 ? 6 : 4
    const [shortest, longest] = family === 4 ? [16, 24] : [32, 48]
    const length = shortest + Math.floor(random() * (longest - shortest + 1))
    const prefix = prefixAt(family, length, random)
    const maxLength = random() < 0.8 ? length : length + Math.floor(random() * (longest - length + 1))
    return { prefix, maxLength, asn: 1 + Math.floor(random() * 70_000) }
  })
}

/** Half of them match their VRP; the rest have another origin, are longer than allowed, or have no VRP. */
export function inventRoutes(vrps: readonly InventedVrp[], count: number): Route[] {
  const random = seeded(2)
  return Array.from({ length: count }, (_, index) => {
    const { prefix, asn } = vrps[Math.floor(random() * vrps.length)]!
    switch (index % 4) {
      case 0:
        return { prefix, origin: asn + 1 }
      case 1:
        return index % 8 === 1
          ? { prefix: { ...prefix, length: prefix.length + 1 }, origin: asn }
          : { prefix: prefixAt(prefix.family, prefix.length, random), origin: asn }
      default:
        return { prefix, origin: asn }
    }
  })
}

function prefixAt(family: Family, length: number, random: () => number): Prefix {
  const word = (): bigint => BigInt(Math.floor(random() * 2 ** 32))
  // 2000::/4 is where IPv6 is assigned.
  const address = family === 4 ? word() : (2n << 124n) | (((word() << 32n) | word()) << 60n)
  return { family, length, network: address & networkMask(family, length) }
}

/** Mulberry32: short, and good enough to spread prefixes. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
