/**
 * The numbers of the demonstration. The links use documentation space, which the edge refuses as a bogon and which
 * therefore can never collide with a customer's; AS numbers are 32-bit ones that no registry has handed out.
 */
export const LAB = {
  operatorAsn: 500_000,
  upstreamAsn: 500_001,
  routerId: '192.0.2.0',
  segment: {
    4: { gateway: '203.0.113.1', prefixLength: 24 },
    6: { gateway: '2001:db8:100::1', prefixLength: 64 },
  },
  /** The routers of the second site are on the same bridge, in a network of their own. */
  secondSegment: {
    4: { gateway: '198.51.100.1', prefixLength: 24 },
    6: { gateway: '2001:db8:101::1', prefixLength: 64 },
  },
  link: {
    4: { edge: '192.0.2.0', upstream: '192.0.2.1', prefixLength: 31 },
    6: { edge: '2001:db8:ff::', upstream: '2001:db8:ff::1', prefixLength: 127 },
  },
  /** Hosts behind the upstream that answer pings: the rest of the Internet, in two addresses. */
  internet: { 4: '45.31.0.1', 6: '2d11::1' },
} as const
