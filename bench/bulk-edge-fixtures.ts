import { LAB } from '../lab/network/addresses.ts'
import type { EdgeCustomer } from '../src/drivers/edge/index.ts'

/** Public, and clear of the lab's own space. */
const FIRST_BLOCK = 60 << 16

/** Customers whose routers never answer, each with a session and as many prefixes of its own. */
export function bulk(customers: number, prefixesEach: number): EdgeCustomer[] {
  return Array.from({ length: customers }, (_, index) => {
    const asn = 600_000 + index
    const host = 256 + index
    return {
      id: 100 + index,
      asn,
      enabled: true,
      neighbors: [
        {
          family: 4,
          localAddress: LAB.segment[4].gateway,
          peerAddress: `203.0.${113 + (host >> 8)}.${host & 255}`,
        },
      ],
      accept: Array.from({ length: prefixesEach }, (__, prefix) => ({
        prefix: slash24(FIRST_BLOCK + index * prefixesEach + prefix),
        origin: asn,
      })),
      statics: [],
      exports: 'default',
    }
  })
}

/** By the upper 24 bits. */
const slash24 = (bits: number): string => `${bits >> 16}.${(bits >> 8) & 255}.${bits & 255}.0/24`
