/**
 * Rules that libvirt's network filters cannot express: which neighbor discovery may leave a router's port. libvirt
 * matches the type of an ICMPv6 message, but not the address in it. See docs/decisions/0023-neighbour-discovery.md.
 */
import { parseAddress } from '../../../kernel/prefix.ts'
import type { FilteredPort } from './xml/filter.ts'

export interface TapPort extends FilteredPort {
  readonly tap: string
}

/** Before libvirt's own chains (ebtables, -300), so that a frame accepted here still passes through them. */
const PRIORITY = -350

/**
 * Offsets are in bits from the IPv6 header, which only the message may follow: its target (RFC 4861 section 4.3), then
 * its options. A router solicitation has its options where the others have the target.
 */
const TARGET = '@nh,384,128'
const MAC = '@nh,528,48'
const FIRST_OPTION = '@nh,512,16'
const SECOND_OPTION = '@nh,576,16'
const SECOND_MAC = '@nh,592,48'

/** Type and length in units of eight octets (RFC 4861 section 4.6; the nonce is RFC 3971 section 5.3.2). */
const SOURCE_ADDRESS = '0x0101'
const TARGET_ADDRESS = '0x0201'
const NONCE = '0x0e01'

/**
 * Writes input for `nft -f`. A port whose name begins with `prefix` and that is not in `ports` may send no neighbor
 * discovery.
 */
export function writePortTable(table: string, prefix: string, ports: readonly TapPort[]): string {
  const sorted = ports.toSorted((a, b) => (a.tap < b.tap ? -1 : 1))
  const addresses = sorted.flatMap(({ tap, addresses: own }) => own.map((address) => ({ tap, address })))
  return `table bridge ${table} {
  set addresses {
    type ifname . ipv6_addr
    ${elements(addresses.map(({ tap, address }) => `"${tap}" . ${address}`))}
  }
  set targets {
    typeof iifname . ${TARGET}
    ${elements(addresses.map(({ tap, address }) => `"${tap}" . ${hexadecimal(address)}`))}
  }
  set macs {
    typeof iifname . ${MAC}
    ${elements(sorted.map(({ tap, mac }) => `"${tap}" . 0x${mac.replaceAll(':', '')}`))}
  }
  chain ports {
    type filter hook prerouting priority ${PRIORITY}; policy accept;
    iifname "${prefix}*" meta protocol ip6 jump messages
  }
  chain messages {
    frag frag-off != 0 accept
    meta l4proto != ipv6-icmp accept
    icmpv6 type < nd-router-solicit accept
    icmpv6 type > nd-redirect accept
    ip6 nexthdr != ipv6-icmp drop
    icmpv6 type nd-router-solicit goto router_solicitation
    icmpv6 type nd-neighbor-solicit ip6 saddr :: goto probe
    icmpv6 type nd-neighbor-solicit goto solicitation
    icmpv6 type nd-neighbor-advert goto advertisement
    drop
  }
  chain router_solicitation {
    ip6 length 8 accept
    ip6 length 16 @nh,384,16 ${SOURCE_ADDRESS} iifname . @nh,400,48 @macs accept
    drop
  }
  chain probe {
    iifname . ${TARGET} != @targets drop
    ip6 length 24 accept
    ip6 length 32 ${FIRST_OPTION} ${NONCE} accept
    drop
  }
  chain solicitation {
    iifname . ip6 saddr != @addresses drop
    ip6 length 24 accept
    ip6 length 32 ${FIRST_OPTION} ${SOURCE_ADDRESS} iifname . ${MAC} @macs accept
    ip6 length 32 ${FIRST_OPTION} ${NONCE} accept
    ip6 length 40 ${FIRST_OPTION} ${SOURCE_ADDRESS} iifname . ${MAC} @macs ${SECOND_OPTION} ${NONCE} accept
    ip6 length 40 ${FIRST_OPTION} ${NONCE} ${SECOND_OPTION} ${SOURCE_ADDRESS} iifname . ${SECOND_MAC} @macs accept
    drop
  }
  chain advertisement {
    iifname . ip6 saddr != @addresses drop
    iifname . ${TARGET} != @targets drop
    ip6 length 24 accept
    ip6 length 32 ${FIRST_OPTION} ${TARGET_ADDRESS} iifname . ${MAC} @macs accept
    drop
  }
}
`
}

const elements = (all: readonly string[]): string => (all.length === 0 ? '' : `elements = { ${all.join(', ')} }`)

const hexadecimal = (address: string): string => `0x${parseAddress(address)!.value.toString(16).padStart(32, '0')}`
