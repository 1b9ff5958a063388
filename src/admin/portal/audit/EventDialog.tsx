import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { absoluteTime } from '../../../ui/components/relative-time.ts'
import type { StaffAuditEvent } from './api.ts'
import { Actor } from './audit-columns.tsx'
import { describeChange } from './describe-change.ts'
import { DiffTable } from './DiffTable.tsx'
import { nameOfSubject, sentenceOf } from './sentences.ts'
import { SubjectLink } from './SubjectLink.tsx'

/** Shows one audit log entry in full. */
export function EventDialog({ event, onClose }: { event: StaffAuditEvent; onClose: () => void }) {
  const { changes, notes } = describeChange(event.data, event.subject.type)
  return (
    <Dialog open onClose={onClose} title={sentenceOf(event)} width="lg">
      <div className="grid gap-4">
        <PropertyTable
          items={[
            { label: 'When', value: <time dateTime={event.at}>{absoluteTime(new Date(event.at))}</time> },
            { label: 'Event type', value: <Copyable value={event.action} what="event type" /> },
            {
              label: 'By',
              value: (
                <>
                  <Actor actor={event.actor} />
                  {event.actor.id !== null && (
                    <Link to="/admin/audit" search={{ actor: event.actor.id }} className="link ml-2 text-sm">
                      All by this actor
                    </Link>
                  )}
                </>
              ),
            },
            {
              label: 'On',
              value: (
                <>
                  <SubjectLink event={event}>{nameOfSubject(event)}</SubjectLink>
                  {event.subject.id !== null && (
                    <Link
                      to="/admin/audit"
                      search={{ subjectType: event.subject.type, subjectId: event.subject.id }}
                      className="link ml-2 text-sm"
                    >
                      All on this object
                    </Link>
                  )}
                </>
              ),
            },
            {
              label: 'Affected user',
              value:
                event.userId === null ? (
                  <span className="text-faint">nobody</span>
                ) : (
                  <Link to="/admin/users/$id" params={{ id: event.userId }} className="link">
                    {event.userName ?? `user ${event.userId}`}
                  </Link>
                ),
            },
            { label: 'From', value: event.ip ? <Copyable value={event.ip} /> : <EmptyValue /> },
            { label: 'Entry', value: <span className="num">{event.id}</span> },
            ...(event.requestId
              ? [{ label: 'Request', value: <Copyable value={event.requestId} what="request" />, wide: true }]
              : []),
          ]}
        />
        {changes.length > 0 && <DiffTable changes={changes} />}
        {notes.length > 0 && (
          <PropertyTable items={notes.map(({ name, value }) => ({ label: name, value, wide: true }))} />
        )}
      </div>
    </Dialog>
  )
}
