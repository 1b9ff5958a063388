import type { ReactNode } from 'react'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { Loa } from '../../contract.ts'
import { LOA_BADGE } from '../prefix-labels.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

/** The letters of authorization of one prefix, for its owner and for staff, whose file URLs differ. */
export function LoaTable({
  loas,
  files,
  empty,
  action,
}: {
  loas: readonly Loa[]
  /** The part of the URL before the letter's id and `.pdf`. */
  files: string
  empty: ReactNode
  action?: (loa: Loa) => ReactNode
}) {
  const columns: readonly Column<Loa>[] = [
    {
      id: 'signatory',
      header: 'Signed by',
      cell: ({ signatory }) => (
        <>
          <bdi>{signatory.name}</bdi>, <bdi>{signatory.title}</bdi>
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <StatusBadge tone={LOA_BADGE[state].tone}>{LOA_BADGE[state].label}</StatusBadge>,
    },
    { id: 'signedAt', header: 'Signed', cell: ({ signedAt }) => <Time at={signedAt} /> },
    { id: 'validUntil', header: 'Valid until', cell: ({ validUntil }) => <Time at={validUntil} as="utc-day" /> },
    actionsColumn((loa) => (
      <span className="inline-flex flex-wrap items-center justify-end gap-2">
        <a href={loa.verifyUrl} className="link text-sm">
          Verify
        </a>
        <DownloadLink href={`${files}/${loa.id}.pdf`} label={`Download the letter signed by ${loa.signatory.name}`}>
          PDF
        </DownloadLink>
        {action?.(loa)}
      </span>
    )),
  ]
  return (
    <DataTable
      label="Letters of authorization"
      columns={columns}
      rows={loas}
      rowKey={({ id }) => String(id)}
      empty={<EmptyState title="No letters signed">{empty}</EmptyState>}
    />
  )
}
