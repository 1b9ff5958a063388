import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { Router } from '../contract.ts'
import { STATE_LOOK } from './router-state-look.ts'

/** The state of a router. One whose host is silent says how old the picture is instead of pretending. */
export function RouterStateBadge({
  router,
}: {
  router: Pick<Router, 'state' | 'stateKnown' | 'observedAt' | 'steps' | 'goneAt'>
}) {
  const { tone, word } = STATE_LOOK[router.state]
  if (router.goneAt !== null) {
    return (
      <StatusBadge
        tone="warn"
        note={
          <>
            gone <Time at={router.goneAt} />
          </>
        }
      >
        Deleted
      </StatusBadge>
    )
  }
  if (!router.stateKnown) {
    return (
      <StatusBadge
        tone="unknown"
        note={
          <>
            {word.toLowerCase()} when last seen{router.observedAt && ' '}
            {router.observedAt && <Time at={router.observedAt} />}
          </>
        }
      >
        Unknown
      </StatusBadge>
    )
  }
  const done = router.steps.filter((step) => step.at !== null).length
  const note = router.state === 'CREATING' ? `${done} of ${router.steps.length}` : undefined
  return (
    <StatusBadge tone={tone} note={note}>
      {word}
    </StatusBadge>
  )
}
