/** The customer's end of the sessions in router configuration languages. */
import type { Snippet } from '../../../ui/components/CodeBlock.tsx'
import { bird } from './bird.ts'
import { frr } from './frr.ts'
import { openbgpd } from './openbgpd.ts'
import type { Peering } from './peering.ts'
import { routeros } from './routeros.ts'
import { vyos } from './vyos.ts'

export { readPeering } from './peering.ts'

export const configurations = (peering: Peering): Snippet[] => [
  { label: 'BIRD 2', text: bird(peering) },
  { label: 'FRR', text: frr(peering) },
  { label: 'OpenBGPD', text: openbgpd(peering) },
  { label: 'RouterOS', text: routeros(peering) },
  { label: 'VyOS', text: vyos(peering) },
]
