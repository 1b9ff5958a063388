import type { EdgeCustomer } from '../index.ts'

/** The name of the protocol that runs BFD: `birdc show bfd sessions lh_bfd`. */
export const BFD_PROTOCOL = 'lh_bfd'

/**
 * Present only while a session uses it: it occupies UDP port 3784, which an operator who runs BFD with upstreams needs.
 * A lost router is noticed after 900 ms (RFC 5880 section 6.8.4); a live migration of 200 ms is not.
 */
export const renderBfd = (customers: readonly EdgeCustomer[]): string =>
  customers.some(({ neighbors }) => neighbors.some((neighbor) => neighbor.bfd))
    ? `protocol bfd ${BFD_PROTOCOL} {
  accept direct;                                              # RFC 5881
  interface "*" { interval 300 ms; idle tx interval 1 s; multiplier 3; };
}
`
    : '# No session uses BFD.\n'
