import type { LinkProps } from '@tanstack/react-router'
import type { RequiredRole } from '../../kernel/required-role.ts'
import type { IconName } from '../components/Icon.tsx'
import type { CurrentUser } from '../runtime/session.ts'

export interface NavItem {
  readonly label: string
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: IconName
  /** What `g` and this key lead to. */
  readonly key: string
  /** Where its things live, when that is not below its own address. */
  readonly below?: string
  /** Addresses of screens that belong to it beside its own: how their paths begin. */
  readonly also?: readonly string[]
  /** In reach of the thumb, for staff without an ASN. */
  readonly daily?: boolean
  /** Shown only to staff with this role. */
  readonly role?: RequiredRole
}

const NAV_ITEMS: readonly NavItem[] = [
  { label: 'Routers', to: '/', icon: 'router', key: 'r', below: '/routers/' },
  { label: 'IP Transit', to: '/transit', icon: 'transit', key: 't' },
  { label: 'Billing', to: '/billing', icon: 'billing', key: 'b' },
  { label: 'Settings', to: '/settings', icon: 'settings', key: 's' },
]

const STAFF_NAV_ITEMS: readonly NavItem[] = [
  { label: 'Dashboard', to: '/admin', icon: 'gauge', key: 'a', below: '/admin/queues/' },
  { label: 'Customers', to: '/admin/users/', icon: 'users', key: 'u', daily: true },
  { label: 'Prefixes', to: '/admin/prefixes/', icon: 'prefix', key: 'p', daily: true },
  { label: 'Sessions', to: '/admin/sessions', icon: 'transit', key: 'n', also: ['/admin/looking-glass'] },
  { label: 'Routers', to: '/admin/routers/', icon: 'router', key: 'v', daily: true },
  { label: 'Infrastructure', to: '/admin/inventory', icon: 'inventory', key: 'k', also: ['/admin/hypervisors/'] },
  {
    label: 'Billing',
    to: '/admin/revenue',
    icon: 'billing',
    key: 'm',
    also: ['/admin/invoices', '/admin/prices', '/admin/tax', '/admin/billing'],
    role: 'billing',
  },
  { label: 'Audit log', to: '/admin/audit', icon: 'audit', key: 'l' },
  { label: 'Team', to: '/admin/staff', icon: 'badge', key: 'f', role: 'owner' },
]

/** Beside those of all customers. */
const asOwn = (item: NavItem): NavItem =>
  STAFF_NAV_ITEMS.some(({ label }) => label === item.label)
    ? { ...item, label: `Your ${item.label.toLowerCase()}` }
    : item

export interface Navigation {
  /** The screens of one’s own account. */
  readonly own: readonly NavItem[]
  /** Empty for customers. */
  readonly staff: readonly NavItem[]
}

/** Staff without an ASN have no routers and no transit of their own, and only owners and billing work on money. */
export const navigationOf = ({ isAdmin, asnVerifiedAt, roles }: CurrentUser): Navigation => ({
  own: !isAdmin ? NAV_ITEMS : asnVerifiedAt === null ? NAV_ITEMS.slice(3) : NAV_ITEMS.map(asOwn),
  staff: isAdmin ? STAFF_NAV_ITEMS.filter(({ role }) => !role || roles.includes('owner') || roles.includes(role)) : [],
})

/** What a phone has room for: of staff without an ASN the daily screens, of others the way to the rest. */
export function phoneItemsOf(user: CurrentUser): readonly NavItem[] {
  const { own, staff } = navigationOf(user)
  const [home, ...rest] = staff
  return home ? [{ ...home, label: 'Admin' }, ...rest.filter((item) => item.daily && !own[1]), ...own] : own
}

/** `page` on the place itself, `true` on what belongs to it: what `aria-current` takes. */
export function currentness(item: NavItem, path: string): 'page' | 'true' | undefined {
  if (path === item.to) return 'page'
  if (item.also?.some((other) => path.startsWith(other))) return 'true'
  return path.startsWith(item.below ?? `${item.to.replace(/\/$/, '')}/`) ? 'true' : undefined
}
