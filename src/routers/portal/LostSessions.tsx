import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { explainSession } from '../../kernel/bgp-errors.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { ownMaintenance, sessionMaintenance } from '../../transit/portal/maintenance/api.ts'
import type { OwnRouter } from '../contract.ts'
import { lostSessions } from './session-labels.ts'

/**
 * Shows which sessions are down, since when, why and what fixes it, or that their state is unknown. Empty while all are
 * up.
 */
export default function LostSessions({
  sessions,
  router,
  routerId,
}: {
  sessions: OwnRouter['sessions']
  /** The router's name, where the page covers more than one. */
  router?: string
  /** Set where the reader is already on IP Transit: links to that router instead. */
  routerId?: number | undefined
}) {
  const maintenance = sessionMaintenance(useQuery(ownMaintenance()).data)
  if (sessions.some(({ stateKnown }) => !stateKnown)) {
    return (
      <Callout tone="warn" title="Our edge is not responding">
        The state of the BGP sessions{router && ` of ${router}`} is unknown. They may still be up. Your router needs no
        change.
      </Callout>
    )
  }
  const lost = lostSessions(sessions)
  if (lost.length === 0) return null
  const what = lost.length === 1 ? 'A BGP session' : 'Both BGP sessions'
  return (
    <Callout
      tone="bad"
      title={`${what}${router ? ` of ${router}` : ''} ${lost.length === 1 ? 'is' : 'are'} down`}
      action={
        routerId === undefined ? (
          <Link to="/transit" className={buttonClass('plain', 'sm')}>
            Open IP Transit
          </Link>
        ) : (
          <Link to="/routers/$id" params={{ id: routerId }} className={buttonClass('plain', 'sm')}>
            Open router
          </Link>
        )
      }
    >
      {maintenance && <p>Planned maintenance is under way, which may be the cause: {maintenance.title}</p>}
      {lost.map((session) => {
        const { family, downSince, lastError } = session
        const explained = explainSession(session)
        return (
          <p key={family}>
            IPv{family} has been down for <Time at={downSince} as="since" />.{' '}
            {explained ? `${explained.cause} ${explained.fix}` : lastError}
          </p>
        )
      })}
    </Callout>
  )
}
