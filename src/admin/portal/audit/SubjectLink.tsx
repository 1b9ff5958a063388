import { Link } from '@tanstack/react-router'
import type { StaffAuditEvent } from './api.ts'

const PAGES = {
  user: '/admin/users/$id',
  router: '/admin/routers/$id',
  prefix: '/admin/prefixes/$id',
  hypervisor: '/admin/hypervisors/$id',
} as const

/** What has no page of its own, and is seen on the billing of whose it is. */
const BILLED = new Set([
  'invoice',
  'payment',
  'refund',
  'billing_item',
  'discount',
  'transit_contract',
  'payment_method',
])

const LINK = 'link relative z-1 text-sm @list:whitespace-nowrap'

/** The thing an event is about, with the way to it where there is one. */
export function SubjectLink({
  event: {
    subject: { type, id },
    userId,
  },
}: {
  event: Pick<StaffAuditEvent, 'subject' | 'userId'>
}) {
  const words = `${type.replaceAll('_', ' ')}${id === null ? '' : ` ${id}`}`
  const page = PAGES[type as keyof typeof PAGES] as (typeof PAGES)[keyof typeof PAGES] | undefined
  if (page && id !== null) {
    return (
      <Link to={page} params={{ id }} className={LINK}>
        {words}
      </Link>
    )
  }
  if (!BILLED.has(type) || userId === null) return <span className="text-sm">{words}</span>
  return (
    <Link to="/admin/users/$id/billing" params={{ id: userId }} className={LINK}>
      {words} <span className="text-dim">of user {userId}</span>
    </Link>
  )
}
