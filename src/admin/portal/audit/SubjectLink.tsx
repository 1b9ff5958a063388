import { Link } from '@tanstack/react-router'
import type { StaffAuditEvent } from './api.ts'

const PAGES = {
  user: '/admin/users/$id',
  router: '/admin/routers/$id',
  prefix: '/admin/prefixes/$id',
  hypervisor: '/admin/hypervisors/$id',
  pool: '/admin/inventory/pools/$id',
} as const

/** Objects without their own page that are shown in a list. */
const LISTS = {
  edge: '/admin/inventory/edges',
  maintenance_window: '/admin/inventory/maintenance',
  site: '/admin/inventory',
  image: '/admin/inventory/images',
  price: '/admin/prices',
  plan: '/admin/prices',
} as const

/** Objects without their own page that are shown on their owner's billing page. */
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

/** Shows the object of an event, linked if it has a page. */
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
