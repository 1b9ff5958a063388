import { useQuery } from '@tanstack/react-query'
import { explainSessionError, toStaff } from '../../kernel/bgp-errors.ts'
import { DataTable, type Column } from '../../ui/components/DataTable.tsx'
import { duration } from '../../ui/components/relative-time.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { SessionOutages } from '../contract.ts'
import { sessionOutages } from './api.ts'
import { SessionStrips } from './SessionStrip.tsx'

/** The strips end now, so they move on even without change events. */
export const STRIPS_MOVE_MS = 60_000

/** The history of the account's sessions, and past outages: since when, how long, and why. */
export function SessionHistory({ family }: { family?: 4 | 6 }) {
  const { data, dataUpdatedAt } = useQuery({ ...sessionOutages(), refetchInterval: STRIPS_MOVE_MS })
  const sessions = data?.sessions.filter((session) => family === undefined || session.family === family) ?? []
  if (sessions.length === 0) return null
  return (
    <Section title="Session history" summary="As seen by our edge. Red is down; gray is disabled and does not count.">
      <OutageList sessions={sessions} now={dataUpdatedAt} readBy="owner" />
    </Section>
  )
}

export function OutageList({
  sessions,
  now,
  readBy,
}: {
  sessions: readonly SessionOutages[]
  now: number
  readBy: 'owner' | 'staff'
}) {
  const outages = sessions
    .flatMap(({ family, outages: own }) => own.map((outage) => ({ ...outage, family })))
    .toSorted((a, b) => Date.parse(b.from) - Date.parse(a.from))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SessionStrips sessions={sessions} now={now} />
      {outages.length > 0 && (
        <DataTable
          label="Session history"
          columns={columns(readBy)}
          rows={outages}
          firstRows={5}
          rowKey={({ id }) => id}
        />
      )}
    </div>
  )
}

type Outage = SessionOutages['outages'][number] & Pick<SessionOutages, 'family'>

const columns = (readBy: 'owner' | 'staff'): readonly Column<Outage>[] => [
  { id: 'family', header: 'Session', cell: ({ family }) => <span className="font-medium">IPv{family}</span> },
  { id: 'from', header: 'Down', cell: ({ from }) => <Time at={from} /> },
  {
    id: 'lasted',
    header: 'Lasted',
    cell: ({ from, to, intended }) =>
      to === null ? (
        <StatusBadge tone={intended ? 'off' : 'bad'}>{intended ? 'Disabled' : 'Still down'}</StatusBadge>
      ) : (
        <span className="num">{to === from ? 'moments' : duration(Date.parse(to) - Date.parse(from))}</span>
      ),
  },
  {
    id: 'why',
    header: 'Why',
    cell: (outage) => <span className="text-dim">{readBy === 'staff' ? toStaff(whyOf(outage)) : whyOf(outage)}</span>,
  },
]

const whyOf = ({ error, intended }: Outage): string =>
  intended ? 'It was disabled.' : (explainSessionError(error)?.cause ?? error ?? 'The edge gave no reason.')
