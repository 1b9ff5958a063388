import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../kernel/asn.ts'
import { explainSession, toStaff } from '../../kernel/bgp-errors.ts'
import { Copyable } from '../../ui/components/Copyable.tsx'
import { DataTable, type Column } from '../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { RouterSession } from '../contract.ts'
import { sessionBadge } from './session-labels.ts'
import { grouped } from '../../ui/components/quantity.ts'

/** Shows the sessions between the edge and a router, as the edge reports them. */
export const SessionTable = ({
  sessions,
  isRunning,
  sentTo = 'you',
}: {
  sessions: readonly RouterSession[]
  /** Whether the router runs. While it does not, that is why the sessions are down. */
  isRunning: boolean
  /** The reader: the customer, or staff who look at a customer's router. */
  sentTo?: 'you' | 'router'
}) => (
  <div>
    <DataTable label="BGP sessions" columns={columns(sentTo)} rows={sessions} rowKey={(session) => session.family} />
    {sessions
      .filter(({ state, stateKnown }) => isRunning && stateKnown && state !== 'ESTABLISHED')
      .map((session) => (
        <Why key={session.family} session={session} sentTo={sentTo} />
      ))}
  </div>
)

/** Explains why it is not up: the cause, the fix, and the edge's own message if there is one. */
function Why({ session, sentTo }: { session: RouterSession; sentTo: 'you' | 'router' }) {
  const { family, lastError } = session
  const found = explainSession(session)
  if (!found && lastError === null) return null
  const words = found && (sentTo === 'you' ? `${found.cause} ${found.fix}` : toStaff(found.cause))
  return (
    <p className="mt-2 text-sm text-dim">
      <span className="font-medium text-ink">IPv{family}:</span> {words ?? lastError}{' '}
      {words && lastError && <span className="text-faint">({lastError})</span>}
    </p>
  )
}

const columns = (sentTo: 'you' | 'router'): readonly Column<RouterSession>[] => [
  {
    id: 'family',
    header: 'Family',
    cell: ({ family }) =>
      // The page of a session is its owner's: staff have none.
      sentTo === 'you' ? (
        <Link to="/transit/sessions/$family" params={{ family }} className="row-link">
          IPv{family}
        </Link>
      ) : (
        <span className="font-medium">IPv{family}</span>
      ),
  },
  { id: 'state', header: 'State', cell: (session) => <SessionState session={session} /> },
  {
    id: 'router',
    header: 'Router',
    cell: (session) => <End address={session.peerAddress} asn={session.peerAsn} />,
  },
  {
    id: 'edge',
    header: 'Our edge',
    cell: (session) => <End address={session.localAddress} asn={session.localAsn} />,
  },
  { id: 'received', header: 'Received', align: 'right', cell: (session) => <Count of={session.received} /> },
  { id: 'accepted', header: 'Accepted', align: 'right', cell: (session) => <Count of={session.accepted} /> },
  {
    id: 'exported',
    header: sentTo === 'you' ? 'Sent to you' : 'Sent',
    align: 'right',
    cell: (session) => <Count of={session.exported} />,
  },
]

function SessionState({ session: { state, stateKnown, since, observedAt } }: { session: RouterSession }) {
  const { tone, label } = sessionBadge(state)
  if (!stateKnown) {
    return (
      <StatusBadge
        tone="unknown"
        note={
          <>
            {label} when last seen{observedAt && ' '}
            {observedAt && <Time at={observedAt} />}
          </>
        }
      >
        Unknown
      </StatusBadge>
    )
  }
  return (
    <StatusBadge tone={tone} note={since && <Time at={since} as="since" />}>
      {label}
    </StatusBadge>
  )
}

const End = ({ address, asn }: { address: string; asn: number }) => (
  <span className="inline-flex flex-wrap items-center gap-x-1.5">
    <Copyable value={address} />
    <span className="num font-mono text-xs text-faint">{formatAsn(asn)}</span>
  </span>
)
const Count = ({ of }: { of: number }) => <span className="num">{grouped(of)}</span>
