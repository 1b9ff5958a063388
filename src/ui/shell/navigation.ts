import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../components/Icon.tsx'

export interface NavItem {
  readonly label: string
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: IconName
  /** What `g` and this key lead to. */
  readonly key: string
  /** Where its things live, when that is not below its own address. */
  readonly below?: string
  /** Addresses of screens that belong to it beside its own. */
  readonly also?: readonly string[]
  /** Lit on the very address alone. */
  readonly exact?: boolean
}

export const NAV_ITEMS: readonly NavItem[] = [
  { label: 'Routers', to: '/', icon: 'router', key: 'r', exact: true, below: '/routers/' },
  { label: 'IP Transit', to: '/transit', icon: 'transit', key: 't' },
  { label: 'Billing', to: '/billing', icon: 'billing', key: 'b' },
  { label: 'Settings', to: '/settings', icon: 'settings', key: 's' },
]

export const STAFF_HOME: NavItem = { label: 'Admin', to: '/admin', icon: 'staff', key: 'a', exact: true }
export const STAFF_NAV_ITEMS: readonly NavItem[] = [
  { label: 'Users', to: '/admin/users/', icon: 'users', key: 'u' },
  { label: 'Prefixes', to: '/admin/prefixes/', icon: 'prefix', key: 'p' },
  { label: 'Sessions', to: '/admin/sessions', icon: 'transit', key: 'n' },
  { label: 'Fleet', to: '/admin/routers/', icon: 'fleet', key: 'v' },
  { label: 'Inventory', to: '/admin/inventory', icon: 'inventory', key: 'k' },
  {
    // Not “Billing”: that is one's own, in the same navigation.
    label: 'Revenue',
    to: '/admin/revenue',
    icon: 'gauge',
    key: 'm',
    also: ['/admin/invoices', '/admin/prices', '/admin/tax', '/admin/billing-settings'],
  },
  { label: 'Audit', to: '/admin/audit', icon: 'audit', key: 'l' },
  { label: 'Staff', to: '/admin/staff', icon: 'badge', key: 'f' },
]

/** `page` on the place itself, `true` on what belongs to it: what `aria-current` takes. */
export function currentness(item: NavItem, path: string): 'page' | 'true' | undefined {
  if (path === item.to) return 'page'
  if (item.also?.includes(path)) return 'true'
  const below = item.below ?? (item.exact ? null : `${item.to.replace(/\/$/, '')}/`)
  return below !== null && path.startsWith(below) ? 'true' : undefined
}
