import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { StaffAuditEvent } from './api.ts'
import { summarize } from './describe-change.ts'
import { SubjectLink } from './SubjectLink.tsx'

export const auditColumns = (onShow: (event: StaffAuditEvent) => void): readonly Column<StaffAuditEvent>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (event) => (
      <span className="grid">
        <button type="button" onClick={() => onShow(event)} className="row-link text-left font-mono text-sm">
          {event.action}
        </button>
        <span className="line-clamp-1 text-xs text-dim wrap-anywhere">{summarize(event.data)}</span>
      </span>
    ),
  },
  { id: 'on', header: 'On', cell: (event) => <SubjectLink event={event} /> },
  { id: 'by', header: 'By', cell: (event) => <Actor actor={event.actor} /> },
  {
    id: 'from',
    header: 'From',
    cell: ({ ip }) => (ip ? <span className="num font-mono text-xs text-dim">{ip}</span> : <EmptyValue />),
  },
  { id: 'when', header: 'When', cell: (event) => <Time at={event.at} />, align: 'right', besideName: true },
]

export function Actor({ actor }: { actor: StaffAuditEvent['actor'] }) {
  if (actor.id === null) return <span className="text-sm text-dim">system</span>
  return (
    <span className="text-sm">
      <Link to="/admin/users/$id" params={{ id: actor.id }} className="link relative z-1 wrap-break-word">
        {actor.email ?? `user ${actor.id}`}
      </Link>
      {actor.kind === 'staff' && <span className="ml-1.5 text-faint">staff</span>}
    </span>
  )
}
