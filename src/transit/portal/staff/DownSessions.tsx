import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { formatAsn } from '../../../kernel/asn.ts'
import { explainSessionError, toStaff } from '../../../kernel/bgp-errors.ts'
import type { Answer } from '../../../kernel/endpoint.ts'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { StatusMark, type Tone } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitApi } from '../../contract.ts'
import { downSessions } from './api.ts'

type Down = Answer<TransitApi['GET /api/admin/sessions/down']>

/** BGP sessions of all customers by count, and those that went down last. */
export function DownSessions() {
  const {
    data: { counts, latest },
  } = useSuspenseQuery(downSessions())
  if (Object.values(counts).every((count) => count === 0)) {
    return <EmptyState title="No sessions yet">Sessions appear here when a customer connects to an edge.</EmptyState>
  }
  return (
    <>
      <Counts counts={counts} />
      {latest.length > 0 && (
        <>
          <DataTable
            label="Sessions down"
            columns={DOWN_COLUMNS}
            rows={latest}
            rowKey={({ customer, family }) => `${customer.id} ${family}`}
          />
          {counts.down > latest.length && (
            <p className="mt-2 text-sm text-dim">
              The {latest.length} that went down last, of {counts.down}.
            </p>
          )}
        </>
      )}
    </>
  )
}

export const Counts = ({ counts: { established, down, neverUp, disabled, unknown } }: { counts: Down['counts'] }) => (
  <ul className="mb-2.5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
    <Count tone={down > 0 ? 'bad' : 'off'} count={down}>
      <Link to="/admin/sessions" search={{ status: 'down' }} className="link">
        Down
      </Link>
    </Count>
    {neverUp > 0 && (
      <Count tone="warn" count={neverUp}>
        <Link to="/admin/sessions" search={{ status: 'down' }} className="link">
          Never up
        </Link>
      </Count>
    )}
    <Count tone="ok" count={established}>
      <Link to="/admin/sessions" search={{ status: 'established' }} className="link">
        Established
      </Link>
    </Count>
    {disabled > 0 && (
      <Count tone="off" count={disabled}>
        <Link to="/admin/sessions" search={{ status: 'disabled' }} className="link">
          Disabled
        </Link>
      </Count>
    )}
    {unknown > 0 && (
      <Count tone="unknown" count={unknown}>
        Unknown: their{' '}
        <Link to="/admin/inventory/edges" className="link">
          edge
        </Link>{' '}
        is unreachable
      </Count>
    )}
  </ul>
)

const Count = ({ tone, count, children }: { tone: Tone; count: number; children: ReactNode }) => (
  <li className="inline-flex items-center gap-1.5">
    <StatusMark tone={tone} />
    <span className="num font-semibold">{count}</span>
    <span>{children}</span>
  </li>
)

export const DOWN_COLUMNS: readonly Column<Down['latest'][number]>[] = [
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer, asn }) => (
      <>
        <UserLink id={customer.id} user={customer} />{' '}
        {asn !== null && <span className="num font-mono text-xs text-faint">{formatAsn(asn)}</span>}
      </>
    ),
  },
  {
    id: 'since',
    header: 'Down for',
    besideName: true,
    cell: ({ downSince }) => <Time at={downSince} as="since" />,
  },
  {
    id: 'family',
    header: 'Session',
    cell: ({ family, asn, customer }) => (
      <Link
        to="/admin/sessions"
        search={{ status: 'down', search: asn === null ? customer.email : formatAsn(asn) }}
        className="link relative z-1"
      >
        IPv{family}
      </Link>
    ),
  },
  { id: 'edge', header: 'Edge', cell: ({ edge }) => edge.name },
  {
    id: 'router',
    header: 'Router',
    cell: ({ router }) =>
      router && (
        <Link to="/admin/routers/$id" params={{ id: router.id }} className="link relative z-1">
          {router.name}
        </Link>
      ),
  },
  {
    id: 'cause',
    header: 'Cause',
    cell: ({ overLimit, lastError }) => {
      if (overLimit) return 'Over its route limit'
      if (lastError === null) return <span className="text-faint">Not reported</span>
      const explained = explainSessionError(lastError)
      return explained ? <span title={lastError}>{toStaff(explained.cause)}</span> : lastError
    },
  },
]
