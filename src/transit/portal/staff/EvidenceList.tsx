import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import { EVIDENCE_LABELS, STRENGTH_BADGE } from '../prefix-labels.ts'

type Seen = AdminTransitPrefix['evidence'][number]

/** The evidence for and against the request, and what its approval requires. */
export function EvidenceList({ prefix }: { prefix: AdminTransitPrefix }) {
  return (
    <div className="grid gap-3">
      <p className="text-sm text-dim">{summaryOf(prefix)}</p>
      <DataTable
        label="Evidence"
        columns={columns}
        rows={prefix.evidence}
        rowKey={(one) => `${one.kind} ${one.source}`}
        empty={
          <EmptyState icon="prefix" title="No evidence">
            Nothing proves that the customer may announce this prefix.
          </EmptyState>
        }
      />
    </div>
  )
}

function summaryOf({ status, approval, approvalBasis }: AdminTransitPrefix): string {
  if (status === 'APPROVED') {
    if (!approvalBasis) return 'Approved before evidence was recorded.'
    const by = approvalBasis.people.length === 0 ? 'automatically' : `by ${approvalBasis.people.join(' and ')}`
    return `Approved ${by} under the rule “${approvalBasis.rule}”.`
  }
  const people = ['no approval by staff', 'one person', 'two people'][approval.people]
  return `Rule: “${approval.rule}”. Approval needs ${people}${approval.reasonRequired ? ', with a written reason' : ''}.`
}

const columns: readonly Column<Seen>[] = [
  { id: 'kind', header: 'Kind', cell: (one) => EVIDENCE_LABELS[one.kind] },
  { id: 'source', header: 'Source', cell: (one) => one.source },
  {
    id: 'strength',
    header: 'Strength',
    besideName: true,
    cell: (one) =>
      one.current ? <ToneBadge badge={STRENGTH_BADGE[one.strength]} /> : <StatusBadge tone="off">Expired</StatusBadge>,
  },
  { id: 'seen', header: 'Seen', cell: (one) => one.seen },
  { id: 'observedAt', header: 'When', cell: (one) => <Time at={one.observedAt} /> },
  { id: 'expiresAt', header: 'Expires', cell: (one) => <Time at={one.expiresAt} none="with its source" /> },
  { id: 'nextCheckAt', header: 'Next check', cell: (one) => <Time at={one.nextCheckAt} none="none" />, wideOnly: true },
]
