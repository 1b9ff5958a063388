import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'

type Report = NonNullable<AdminEdge['refusedFromUpstreams']>
type Rejection = Report['rejections'][number]

/** The updates from upstreams that an edge discarded entirely. */
export function UpstreamRejections({ edge: { name, refusedFromUpstreams: report } }: { edge: AdminEdge }) {
  if (report === null || (report.rejections.length === 0 && report.malformed)) return null
  return (
    <>
      <h3 className="mt-5 mb-2 text-sm font-semibold">Refused from upstreams</h3>
      {report.rejections.length > 0 && (
        <DataTable
          label={`Refused from upstreams of ${name}`}
          columns={COLUMNS}
          rows={report.rejections}
          rowKey={({ upstream, prefix, reason }) => `${upstream} ${prefix} ${reason}`}
        />
      )}
      <p className="mt-2 text-sm text-dim">
        {report.rejections.length === 0 && 'None. '}
        As of <Time at={report.seenAt} />.
        {!report.malformed &&
          ' OpenBGPD does not report which updates it withdrew for a malformed attribute (RFC 7606): see its log.'}
      </p>
    </>
  )
}

const COLUMNS: readonly Column<Rejection>[] = [
  { id: 'upstream', header: 'Upstream', cell: ({ upstream }) => <code>{upstream}</code>, sort: (row) => row.upstream },
  {
    id: 'prefix',
    header: 'Prefix',
    cell: ({ prefix }) => (prefix === null ? <span className="text-faint">not reported</span> : <code>{prefix}</code>),
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} />, sort: (row) => row.at },
]
