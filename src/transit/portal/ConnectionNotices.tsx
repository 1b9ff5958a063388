import { Link } from '@tanstack/react-router'
import { SuspendedByStaff } from '../../accounts/portal/SuspendedByStaff.tsx'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { capitalize } from '../../ui/runtime/explain-failure.ts'
import { useUser } from '../../ui/runtime/session.ts'
import LostSessions from '../../routers/portal/LostSessions.tsx'
import { stateLabel } from '../../routers/portal/router-state-variants.ts'
import type { TransitConnection } from '../contract.ts'

/**
 * The problem that keeps the connection from working; with several, the one to fix first. An edge that is not up to
 * date hides no session that is down.
 */
export function ConnectionNotices({ connection }: { connection: TransitConnection }) {
  if (connection.suspension) return <SuspensionNotice suspension={connection.suspension} />
  // `ControlNotices` shows a session over its limit.
  const sessions = connection.sessions.filter(({ limitExceeded }) => limitExceeded === null)
  const lost = <LostSessions sessions={sessions} routerId={connection.router?.id} />
  if (connection.edge.error) {
    const silent = connection.sessions.find(({ stateKnown }) => !stateKnown)
    return (
      <>
        <Callout tone="warn" title={silent ? 'Showing last known session states' : 'The edge is not up to date yet'}>
          {connection.edge.error}
          {silent?.observedAt && (
            <>
              {' '}
              It last responded <Time at={silent.observedAt} />.
            </>
          )}
        </Callout>
        {!silent && connection.router?.state === 'RUNNING' && lost}
      </>
    )
  }
  if (connection.router === null) {
    return (
      <Callout tone="info" title="No router assigned">
        Select a router below. Both BGP sessions are then configured on it and on our edge within seconds.{' '}
        <Link to="/routers/new" className="link">
          Create a router
        </Link>{' '}
        if you don’t have one.
      </Callout>
    )
  }
  if (connection.router.state !== 'RUNNING') {
    return (
      <Callout tone="warn" title={`${connection.router.name} is not running`}>
        Its state is {capitalize(stateLabel(connection.router.state))}. Its sessions come up when it is running.{' '}
        <Link to="/routers/$id" params={{ id: connection.router.id }} className="link">
          See the router
        </Link>
      </Callout>
    )
  }
  return lost
}

const SUSPENSION_TITLE = {
  drained: 'Your prefixes are announced as a last resort only',
  closed: 'Your transit is suspended',
} as const

function SuspensionNotice({ suspension }: { suspension: NonNullable<TransitConnection['suspension']> }) {
  const byStaff = useUser()?.suspension
  if (suspension.by === 'staff' && byStaff) {
    return (
      <SuspendedByStaff
        suspension={byStaff}
        title={SUSPENSION_TITLE.closed}
        consequence="Your BGP sessions are shut down and your prefixes withdrawn."
      />
    )
  }
  return (
    <Callout
      tone="bad"
      title={SUSPENSION_TITLE[suspension.as]}
      action={
        <Link to="/billing" className={buttonClass('plain', 'sm')}>
          Open Billing
        </Link>
      }
    >
      {suspension.reason} Service is restored within a minute of payment.
    </Callout>
  )
}
