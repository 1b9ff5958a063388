import { useQuery } from '@tanstack/react-query'
import { explainSessionError } from '../../kernel/bgp-errors.ts'
import { DataTable, type Column } from '../../ui/components/DataTable.tsx'
import { duration } from '../../ui/components/relative-time.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { sessionEvents } from './api.ts'
import { outagesIn, type Outage } from './outages.ts'

/** What is left of an outage once it is over: since when, how long, and why. */
export function SessionHistory() {
  const { data } = useQuery(sessionEvents())
  if (!data) return null
  const outages = outagesIn(data.events)
  if (outages.length === 0) return null
  return (
    <Section title="Session history" summary="When a session was down, newest first.">
      <DataTable label="Session history" columns={COLUMNS} rows={outages} firstRows={5} rowKey={({ id }) => id} />
    </Section>
  )
}

const COLUMNS: readonly Column<Outage>[] = [
  { id: 'family', header: 'Session', cell: ({ family }) => <span className="font-medium">IPv{family}</span> },
  { id: 'from', header: 'Down', cell: ({ from }) => <Time at={from} /> },
  {
    id: 'lasted',
    header: 'Lasted',
    cell: ({ from, to, intended }) =>
      to === null ? (
        <StatusBadge tone={intended ? 'off' : 'bad'}>{intended ? 'Disabled' : 'Still down'}</StatusBadge>
      ) : (
        <span className="num">{duration(Date.parse(to) - Date.parse(from))}</span>
      ),
  },
  { id: 'why', header: 'Why', cell: (outage) => <span className="text-dim">{whyOf(outage)}</span> },
]

const whyOf = ({ error, intended }: Outage): string =>
  intended ? 'It was switched off.' : (explainSessionError(error)?.cause ?? error ?? 'The edge gave no reason.')
