import { Link } from '@tanstack/react-router'
import type { StaffAuditEvent } from './api.ts'
import { sayEvent } from './sentences.ts'
import { SubjectLink } from './SubjectLink.tsx'

/** Describes an entry as text with links: who did what, to which object, of which user, and why. */
export function Sentence({ event }: { event: StaffAuditEvent }) {
  const { actor, does, it, rest, of, reason } = sayEvent(event)
  return (
    <span className="text-sm wrap-anywhere">
      <UserName id={event.actor.id}>{actor}</UserName> {does}
      {it !== null && (
        <>
          {' '}
          <SubjectLink event={event}>{it}</SubjectLink>
        </>
      )}
      {rest}
      {of !== null && (
        <>
          , for <UserName id={event.userId}>{of}</UserName>
        </>
      )}
      {reason !== '' && <span className="text-dim">: {reason}</span>}
    </span>
  )
}

const UserName = ({ id, children }: { id: number | null; children: string }) =>
  id === null ? (
    <span className="font-medium">{children}</span>
  ) : (
    <Link to="/admin/users/$id" params={{ id }} className="relative z-1 font-medium hover:underline">
      {children}
    </Link>
  )
