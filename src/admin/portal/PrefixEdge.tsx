import type { AdminTransitPrefix } from '../../transit/contract.ts'
import { Callout } from '../../portal/ui/Callout.tsx'

/** Whether the edge does what was decided: a decision that has not reached it must not look done. */
export function PrefixEdge({ prefix: { edge, status } }: { prefix: AdminTransitPrefix }) {
  if (edge.settled && status !== 'APPROVED') return null
  return (
    <Callout
      tone={edge.settled ? 'ok' : 'warn'}
      title={edge.settled ? 'The edge has loaded it' : edge.loaded ? 'The edge still has it' : 'Not at the edge yet'}
    >
      {edge.detail}
    </Callout>
  )
}
