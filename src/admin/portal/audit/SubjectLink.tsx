import { Link } from '@tanstack/react-router'
import type { StaffAuditEvent } from './api.ts'

const PAGES = {
  user: '/admin/users/$id',
  router: '/admin/routers/$id',
  prefix: '/admin/prefixes/$id',
  hypervisor: '/admin/hypervisors/$id',
  pool: '/admin/inventory/pools/$id',
} as const

/** What has no page of its own, and is on one with others of its kind. */
const LISTS = {
  edge: '/admin/inventory/edges',
  maintenance_window: '/admin/inventory/maintenance',
  site: '/admin/inventory',
  image: '/admin/inventory/images',
  price: '/admin/prices',
  plan: '/admin/prices',
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

const LINK = 'link relative z-1 text-sm'

/** The thing an event is about, with the way to it where there is one. */
export function SubjectLink({
  event: {
    subject: { type, id },
    userId,
  },
  children,
}: {
  event: Pick<StaffAuditEvent, 'subject' | 'userId'>
  children: string
}) {
  const page = PAGES[type as keyof typeof PAGES] as (typeof PAGES)[keyof typeof PAGES] | undefined
  if (page && id !== null) {
    return (
      <Link to={page} params={{ id }} className={LINK}>
        {children}
      </Link>
    )
  }
  const list = LISTS[type as keyof typeof LISTS] as (typeof LISTS)[keyof typeof LISTS] | undefined
  if (list) {
    return (
      <Link to={list} className={LINK}>
        {children}
      </Link>
    )
  }
  if (!BILLED.has(type) || userId === null) return <span className="text-sm">{children}</span>
  return (
    <Link to="/admin/users/$id/billing" params={{ id: userId }} className={LINK}>
      {children}
    </Link>
  )
}
