import { formatAddress } from './prefix.ts'

/** The link-local IPv6 address that an interface forms from its MAC address (RFC 4291 appendix A). */
export function linkLocalOf(mac: string): string {
  const bytes = BigInt(`0x${mac.replaceAll(':', '')}`)
  const interfaceId = ((bytes >> 24n) << 40n) | (0xfffen << 24n) | (bytes & 0xffffffn)
  // Inverts the universal/local bit.
  return formatAddress({ family: 6, value: (0xfe80n << 112n) | (interfaceId ^ (1n << 57n)) })
}
