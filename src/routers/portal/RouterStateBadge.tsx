import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { Router } from '../contract.ts'
import { STATE_BADGE } from './router-state-variants.ts'

/** The state of a router. While its host is unreachable, it says how old the state is. */
export function RouterStateBadge({
  router,
}: {
  router: Pick<Router, 'state' | 'stateKnown' | 'observedAt' | 'steps' | 'purgeAt'>
}) {
  const { tone, label } = STATE_BADGE[router.state]
  if (router.purgeAt !== null) {
    return (
      <StatusBadge
        tone="warn"
        note={
          <>
            gone <Time at={router.purgeAt} />
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
            {label.toLowerCase()} when last seen{router.observedAt && ' '}
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
      {label}
    </StatusBadge>
  )
}
