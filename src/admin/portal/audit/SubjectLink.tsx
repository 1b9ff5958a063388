import { Link } from '@tanstack/react-router'
import type { StaffAuditEvent } from './api.ts'

const PAGES = {
  user: '/admin/users/$id',
  router: '/admin/routers/$id',
  prefix: '/admin/prefixes/$id',
  hypervisor: '/admin/hypervisors/$id',
} as const

/** The thing an event is about, with the way to it where it has a page. */
export function SubjectLink({ subject: { type, id } }: { subject: StaffAuditEvent['subject'] }) {
  const words = `${type.replaceAll('_', ' ')}${id === null ? '' : ` ${id}`}`
  const page = PAGES[type as keyof typeof PAGES] as (typeof PAGES)[keyof typeof PAGES] | undefined
  if (!page || id === null) return <span className="text-sm">{words}</span>
  return (
    <Link to={page} params={{ id }} className="link relative z-1 text-sm">
      {words}
    </Link>
  )
}
