import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { formatAsn } from '../../kernel/asn.ts'
import { explainSession } from '../../kernel/bgp-errors.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Copyable } from '../../ui/components/Copyable.tsx'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import LostSessions from '../../routers/portal/LostSessions.tsx'
import { lostSessions, sessionBadge } from '../../routers/portal/session-labels.ts'
import { ownConnection } from './api.ts'
import { BfdSwitch } from './controls/BfdSwitch.tsx'
import { IntendedState, OverLimit } from './controls/ControlNotices.tsx'
import { RouteLimit } from './controls/RouteLimit.tsx'
import { UnsupportedKey } from './controls/UnsupportedKey.tsx'
import MaintenanceNotices from './maintenance/MaintenanceNotices.tsx'
import { SessionHistory } from './SessionHistory.tsx'

const route = getRouteApi('/_signed-in/_verified/transit_/sessions/$family')

/** One BGP session of the account on its own page. An account has at most one for each address family. */
export function SessionPage() {
  const { family } = route.useParams()
  const { data: connection } = useSuspenseQuery(ownConnection())
  const session = connection.sessions.find((one) => one.family === family)
  if (!session) throw notFound()
  const { router } = connection
  const badge = sessionBadge(session.state)
  const over = connection.enabled && session.limitExceeded !== null
  const lost = !over && lostSessions([session]).length > 0
  const why = lost || over || session.state === 'ESTABLISHED' ? null : explainSession(session)
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/transit">IP Transit</Link>
          </Crumbs>
        }
        title={`IPv${family} session`}
        summary={
          router && (
            <>
              Router{' '}
              <Link to="/routers/$id" params={{ id: router.id }} className="link">
                {router.name}
              </Link>
            </>
          )
        }
      />
      <MaintenanceNotices of="transit" />
      {lost && (
        <div className="mb-5">
          <LostSessions sessions={[session]} routerId={router?.id} />
        </div>
      )}
      {over && (
        <div className="mb-5">
          <OverLimit session={session} />
        </div>
      )}
      <div className="mb-5 grid gap-3 empty:hidden">
        <IntendedState connection={connection} />
        <UnsupportedKey connection={connection} />
      </div>
      {why && (
        <div className="mb-5">
          <Callout tone="warn" title={why.cause}>
            {why.fix}
          </Callout>
        </div>
      )}
      <PropertyTable
        items={[
          {
            label: 'State',
            value: session.stateKnown ? (
              <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge>
            ) : (
              `${badge.label} when last seen`
            ),
          },
          { label: 'Since', value: <Time at={session.since} none="never" /> },
          { label: 'Your router', value: <Copyable value={session.peerAddress} /> },
          { label: 'Your ASN', value: <Copyable value={formatAsn(session.peerAsn)} /> },
          { label: 'Our edge', value: <Copyable value={session.localAddress} /> },
          { label: 'Our ASN', value: <Copyable value={formatAsn(session.localAsn)} /> },
          {
            label: 'Sent to you',
            // Alone in its line, unless an error is beside it.
            wide: session.lastError === null,
            value: <span className="num">{session.exported === 1 ? '1 route' : `${session.exported} routes`}</span>,
          },
          // The past errors are in the history below.
          ...(session.lastError === null ? [] : [{ label: 'Last error', value: session.lastError }]),
          { label: 'Route limit', wide: true, value: <RouteLimit session={session} /> },
          { label: 'BFD', wide: true, value: <BfdSwitch session={session} lacks={connection.edge.lacks} /> },
        ]}
      />
      <SessionHistory family={family} />
    </>
  )
}
