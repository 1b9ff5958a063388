/**
 * The numbers of the demonstration. The links use documentation space, which the edge rejects as a bogon, so it can
 * never collide with a customer's. The AS numbers are 32-bit ones that no registry has assigned.
 */
export const LAB = {
  operatorAsn: 500_000,
  upstreamAsn: 500_001,
  routerId: '192.0.2.0',
  segment: {
    4: { gateway: '203.0.113.1', prefixLength: 24 },
    6: { gateway: '2001:db8:100::1', prefixLength: 64 },
  },
  /** The routers of the second site are on the same bridge, in a separate network. */
  secondSegment: {
    4: { gateway: '198.51.100.1', prefixLength: 24 },
    6: { gateway: '2001:db8:101::1', prefixLength: 64 },
  },
  link: {
    4: { edge: '192.0.2.0', upstream: '192.0.2.1', prefixLength: 31 },
    6: { edge: '2001:db8:ff::', upstream: '2001:db8:ff::1', prefixLength: 127 },
  },
  /** Hosts behind the upstream that answer pings: two addresses stand for the rest of the Internet. */
  internet: { 4: '45.31.0.1', 6: '2d11::1' },
} as const
