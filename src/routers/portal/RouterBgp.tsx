import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { OwnRouter } from '../contract.ts'
import { sessionsBadge } from './session-labels.ts'

/** The BGP sessions of a router in one cell of the list. */
export default function RouterBgp({ sessions }: { sessions: OwnRouter['sessions'] }) {
  const { tone, label, note, since } = sessionsBadge(sessions)
  return (
    <StatusBadge
      tone={tone}
      note={
        (note || since) && (
          <>
            {note} {since && <Time at={since} as="since" />}
          </>
        )
      }
    >
      {label}
    </StatusBadge>
  )
}
