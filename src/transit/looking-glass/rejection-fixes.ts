/** How the customer fixes a route that the edge rejected. */
import type { RejectionCode } from '../../drivers/edge/index.ts'

export const REJECTION_FIXES: Readonly<Record<RejectionCode, string>> = {
  1: 'Let your router put its own ASN first in the path; turn off route-server or transparent mode.',
  2: 'Remove most of the prepends: 32 ASes is the limit.',
  3: 'Remove private ASNs from the path before you announce it (remove-private-as).',
  4: 'Announce your own and your customers’ prefixes only, not what another transit network sent you.',
  5: 'Do not announce it: this space is reserved or private.',
  6: 'Announce the prefix that was allocated to you, not a shorter one.',
  7: 'Request the prefix under IP Transit with this origin AS, or announce it from the AS that is approved.',
  8: 'Set the next hop to the address of your router on this session (next-hop-self).',
  9: 'Announce blackholes as /32 or /128 inside an approved prefix.',
  10: 'Announce /24 or shorter in IPv4, /48 or shorter in IPv6.',
  11: 'Request exactly this prefix under IP Transit, or stop announcing it.',
  12: 'Create a ROA for this origin and length at your RIR, or fix the one that exists.',
  13: 'Nothing to do: it is accepted again when the edge has RPKI data.',
  14: 'Turn off aggregation with AS_SET on the router that originates it.',
  15: 'Remove the confederation segments at the border of your confederation.',
  16: 'Stop announcing it to us: it came from another of your providers or peers.',
  17: 'Update or fix the router that builds this message; its log names the attribute.',
  18: 'Do not send our routes back to us: filter by prefix on your export.',
}
