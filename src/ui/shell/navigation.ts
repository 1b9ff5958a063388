import type { LinkProps } from '@tanstack/react-router'
import type { RequiredRole } from '../../kernel/required-role.ts'
import type { IconName } from '../components/Icon.tsx'
import type { CurrentUser } from '../runtime/session.ts'

export interface NavItem {
  readonly label: string
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: IconName
  /** The key that, after `g`, leads to it. */
  readonly key: string
  /** The address of its details, when not below its own. */
  readonly below?: string
  /** Path prefixes of further pages that belong to it. */
  readonly also?: readonly string[]
  /** Shown in the phone's bar for staff without an ASN. */
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

/** Next to the staff pages for all customers. */
const asOwn = (item: NavItem): NavItem =>
  STAFF_NAV_ITEMS.some(({ label }) => label === item.label)
    ? { ...item, label: `Your ${item.label.toLowerCase()}` }
    : item

export interface Navigation {
  /** The pages of the user's own account. */
  readonly own: readonly NavItem[]
  /** Empty for customers. */
  readonly staff: readonly NavItem[]
}

/** Staff without an ASN have no routers or transit of their own, and only owners and billing staff handle money. */
// oxlint-disable-next-line typescript/no-useless-default-assignment -- the user of the specification has no roles
export const navigationOf = ({ isAdmin, asnVerifiedAt, roles = [] }: CurrentUser): Navigation => ({
  own: !isAdmin ? NAV_ITEMS : asnVerifiedAt === null ? NAV_ITEMS.slice(3) : NAV_ITEMS.map(asOwn),
  staff: isAdmin ? STAFF_NAV_ITEMS.filter(({ role }) => !role || roles.includes('owner') || roles.includes(role)) : [],
})

/** Returns the items that fit on a phone: for staff without an ASN the daily pages, for others the menu to the rest. */
export function phoneItemsOf(user: CurrentUser): readonly NavItem[] {
  const { own, staff } = navigationOf(user)
  const [home, ...rest] = staff
  return home ? [{ ...home, label: 'Admin' }, ...rest.filter((item) => item.daily && !own[1]), ...own] : own
}

/** Returns the `aria-current` of an item: `page` for its own page, `true` for a page that belongs to it. */
export function currentness(item: NavItem, path: string): 'page' | 'true' | undefined {
  if (path === item.to) return 'page'
  if (item.also?.some((other) => path.startsWith(other))) return 'true'
  return path.startsWith(item.below ?? `${item.to.replace(/\/$/, '')}/`) ? 'true' : undefined
}
