import { Callout } from '../../../ui/components/Callout.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'

/** Shows beside the status whether the edge holds the prefix: approved and loaded are different. */
export const EdgeBadge = ({ prefix: { edge, status } }: { prefix: AdminTransitPrefix }) => {
  if (edge.settled && !edge.loaded && status !== 'APPROVED') return null
  return (
    <StatusBadge tone={edge.settled ? 'ok' : 'busy'}>
      {edge.loaded ? (edge.settled ? 'On the edge' : 'Being removed from the edge') : 'Not on the edge yet'}
    </StatusBadge>
  )
}

/** A decision that has not reached the edge must not look done. */
export function EdgeLag({ prefix: { edge } }: { prefix: AdminTransitPrefix }) {
  if (edge.settled) return null
  return (
    <Callout tone="warn" title={edge.loaded ? 'Still on the edge' : 'Not on the edge yet'}>
      {edge.detail}
    </Callout>
  )
}
