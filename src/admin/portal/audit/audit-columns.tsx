import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { StaffAuditEvent } from './api.ts'
import { describeChange, summarize, type Change } from './describe-change.ts'
import { Sentence } from './Sentence.tsx'
import { sentenceOf } from './sentences.ts'

export const auditColumns = (onShow: (event: StaffAuditEvent) => void): readonly Column<StaffAuditEvent>[] => [
  { id: 'what', header: 'Event', cell: (event) => <Said event={event} /> },
  {
    id: 'from',
    header: 'From',
    cell: ({ ip }) => (ip ? <span className="num font-mono text-xs text-dim">{ip}</span> : <EmptyValue />),
  },
  { id: 'when', header: 'When', cell: (event) => <Time at={event.at} />, align: 'right', besideName: true },
  {
    id: 'details',
    header: 'Details',
    hiddenHeader: true,
    align: 'right',
    cell: (event) => (
      <button
        type="button"
        onClick={() => onShow(event)}
        aria-label={`Details: ${sentenceOf(event)}`}
        className="row-link text-sm text-dim"
      >
        Details
      </button>
    ),
  },
]

/** Shows the sentence, and below it the change, unless the sentence says it. */
function Said({ event }: { event: StaffAuditEvent }) {
  const said = sentenceOf(event)
  const described = describeChange(event.data, event.subject.type)
  const changed = described.changes.some((change) => !saysChange(said, change))
  return (
    <span className="grid">
      <Sentence event={event} />
      {changed && <span className="line-clamp-1 text-xs text-dim wrap-anywhere">{summarize(described)}</span>}
    </span>
  )
}

/** The values are at two places: “billing” is also within “billing, network”. */
function saysChange(said: string, { before, after }: Change): boolean {
  const rest = after === null ? said : said.replace(after, '')
  return (after === null || rest !== said) && (before === null || rest.includes(before))
}

export function Actor({ actor }: { actor: StaffAuditEvent['actor'] }) {
  if (actor.id === null) return <span className="text-sm text-dim">system</span>
  return (
    <span className="text-sm">
      <Link to="/admin/users/$id" params={{ id: actor.id }} className="link relative z-1 wrap-break-word">
        {actor.name ?? actor.email ?? `user ${actor.id}`}
      </Link>
      {actor.kind === 'staff' && <span className="ml-1.5 text-faint">staff</span>}
    </span>
  )
}
