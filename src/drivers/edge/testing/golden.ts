/** The desired state whose rendered files are kept as golden files for each product. */
import type { EdgeCustomer, EdgeDesiredState } from '../index.ts'

const kestrel: EdgeCustomer = {
  id: 10,
  asn: 500_010,
  enabled: true,
  neighbors: [
    { family: 6, localAddress: '2001:db8:100::1', peerAddress: '2001:DB8:100:0::10' },
    { family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.10' },
  ],
  accept: [
    { prefix: '45.30.11.0/24', origin: 500_011 },
    { prefix: '45.30.10.0/24', origin: 500_010 },
    { prefix: '2d10:10::/32', origin: 500_010 },
    { prefix: '45.30.8.0/23', origin: 500_010 },
  ],
  statics: [],
  exports: 'default-and-full',
}
const suspended: EdgeCustomer = {
  id: 11,
  asn: 500_030,
  enabled: false,
  neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.30' }],
  accept: [],
  statics: [{ prefix: '45.30.30.0/24', nextHop: '203.0.113.30' }],
  exports: 'full',
  password: 'md5!#$%;{}secret',
}
const shut: EdgeCustomer = {
  ...suspended,
  id: 12,
  neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.31' }],
  statics: [],
  blackholes: ['45.30.30.7/32'],
  shutdownMessage: 'Router replaced; back at 14:00 – Jürgen',
}
const controlled: EdgeCustomer = {
  ...kestrel,
  id: 13,
  neighbors: [
    { family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.13', receiveLimit: 5000, bfd: true },
    { family: 6, localAddress: '2001:db8:100::1', peerAddress: '2001:db8:100::13', overLimit: true },
  ],
  blackholes: ['2d10:10::7/128', '45.30.10.9/32', '45.30.10.7/32', '45.30.10.9/32'],
  drained: true,
}
const staticOnly: EdgeCustomer = {
  id: 999_999,
  asn: 4_199_999_999,
  enabled: true,
  neighbors: [],
  accept: [],
  statics: [
    { prefix: '45.30.41.0/24', nextHop: '203.0.113.40' },
    { prefix: '2d10:40::/32', nextHop: '2001:db8:100::40' },
  ],
  exports: 'default',
}
const state: EdgeDesiredState = {
  localAsn: 500_000,
  routerId: '192.0.2.0',
  customers: [staticOnly, controlled, shut, kestrel, suspended],
}

export const GOLDEN = { kestrel, suspended, shut, controlled, staticOnly, state } as const
