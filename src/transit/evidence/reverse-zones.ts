/** The reverse zones that a prefix consists of (RFC 1035 section 3.5, RFC 3596 section 2.5): pure. */
import type { Prefix } from '../../kernel/prefix.ts'

/** For a prefix with more zones, another proof is less work. */
export const MAX_ZONES = 16

/** Bits per label, and the maximum number of bits in a prefix. */
const LABEL_BITS = { 4: 8, 6: 4 } as const
const BITS = { 4: 32, 6: 128 } as const

/**
 * Splits a prefix that ends between two labels at the next one: a /22 has four zones, an IPv6 /29 has eight. Null for
 * more than {@link MAX_ZONES}.
 */
export function reverseZones({ family, network, length }: Prefix): string[] | null {
  const step = LABEL_BITS[family]
  const end = Math.max(step, Math.ceil(length / step) * step)
  if (end - length > Math.log2(MAX_ZONES)) return null
  const first = network >> BigInt(BITS[family] - end)
  return Array.from({ length: 2 ** (end - length) }, (_, index) =>
    zoneOf(first + BigInt(index), end / step, { family, step }),
  )
}

function zoneOf(value: bigint, labels: number, { family, step }: { family: 4 | 6; step: number }): string {
  const mask = (1n << BigInt(step)) - 1n
  const names = Array.from({ length: labels }, (_, index) =>
    ((value >> BigInt(index * step)) & mask).toString(family === 4 ? 10 : 16),
  )
  return `${names.join('.')}.${family === 4 ? 'in-addr' : 'ip6'}.arpa`
}
