/** Section 2 of the specification: every page, its title, and who may see it. */
import { testServer } from './own-test-server.ts'

type Access = 'public' | 'session' | 'verified' | 'admin'

export interface Screen {
  readonly address: string
  /** Without the product's name. */
  readonly title: string
  readonly access: Access
}

const { router, prefixId, loaPath, invoiceId, customerId, hypervisorId } = testServer

export const SCREENS: readonly Screen[] = [
  { address: '/', title: 'Routers', access: 'verified' },
  { address: '/transit', title: 'IP Transit', access: 'verified' },
  { address: '/transit/routes', title: 'Routes', access: 'verified' },
  { address: `/transit/prefixes/${prefixId}`, title: 'Prefix', access: 'verified' },
  { address: '/transit/sessions/4', title: 'BGP session', access: 'verified' },
  { address: '/routers/new', title: 'Create a router', access: 'verified' },
  { address: `/routers/${router.id}`, title: router.name, access: 'verified' },
  { address: `/routers/${router.id}/edit`, title: `Edit ${router.name}`, access: 'verified' },
  { address: `/routers/${router.id}/display`, title: `Control ${router.name}`, access: 'verified' },
  { address: '/billing', title: 'Billing', access: 'session' },
  { address: `/billing/invoices/${invoiceId}`, title: 'Invoice', access: 'session' },
  { address: '/settings', title: 'Settings', access: 'session' },
  { address: '/awaiting-verification', title: 'Verify your ASN', access: 'public' },
  { address: '/api-reference', title: 'API Reference', access: 'public' },
  { address: '/settings?tab=webhooks', title: 'Settings', access: 'session' },
  { address: '/login', title: 'Sign in', access: 'public' },
  { address: '/signup', title: 'Create account', access: 'public' },
  { address: '/password/reset', title: 'Reset password', access: 'public' },
  { address: '/password/new', title: 'New password', access: 'public' },
  { address: '/verify/email', title: 'Verify your email', access: 'public' },
  { address: '/verify/asn', title: 'ASN verification', access: 'public' },
  { address: '/verify/prefix', title: 'Prefix confirmation', access: 'public' },
  { address: loaPath, title: 'Letter of authorization', access: 'public' },
  { address: '/errors/404', title: 'Page Not Found', access: 'public' },
  { address: '/errors/502', title: 'Service Unavailable', access: 'public' },
  { address: '/admin', title: 'Dashboard', access: 'admin' },
  { address: '/admin/audit', title: 'Audit log', access: 'admin' },
  { address: '/admin/staff', title: 'Team', access: 'admin' },
  { address: '/admin/users/', title: 'User list', access: 'admin' },
  { address: `/admin/users/${customerId}`, title: 'User detail', access: 'admin' },
  { address: '/admin/revenue', title: 'Revenue', access: 'admin' },
  { address: '/admin/invoices', title: 'Invoices', access: 'admin' },
  { address: '/admin/prices', title: 'Prices', access: 'admin' },
  { address: '/admin/tax', title: 'Tax', access: 'admin' },
  { address: '/admin/billing-settings', title: 'Billing settings', access: 'admin' },
  { address: `/admin/users/${customerId}/billing`, title: 'Billing of a user', access: 'admin' },
  { address: '/admin/prefixes/', title: 'Prefix list', access: 'admin' },
  { address: `/admin/prefixes/${prefixId}`, title: 'Prefix detail', access: 'admin' },
  { address: '/admin/sessions', title: 'Sessions', access: 'admin' },
  { address: '/admin/looking-glass', title: 'Looking glass', access: 'admin' },
  { address: `/admin/hypervisors/${hypervisorId}`, title: 'Hypervisor detail', access: 'admin' },
  { address: '/admin/routers/', title: 'Router list', access: 'admin' },
  { address: `/admin/routers/${router.id}`, title: 'Admin router detail', access: 'admin' },
  { address: '/admin/inventory', title: 'Sites', access: 'admin' },
  { address: '/admin/inventory/hypervisors', title: 'Hypervisors', access: 'admin' },
  { address: '/admin/inventory/pools', title: 'Address pools', access: 'admin' },
  { address: '/admin/inventory/pools/1', title: 'Address pool', access: 'admin' },
  { address: '/admin/inventory/images', title: 'Images', access: 'admin' },
  { address: '/admin/inventory/edges', title: 'Edges', access: 'admin' },
  { address: '/admin/inventory/maintenance', title: 'Maintenance', access: 'admin' },
  { address: '/admin/inventory/approval-policy', title: 'Approval policy', access: 'admin' },
  { address: '/admin/inventory/site-content', title: 'Site content', access: 'admin' },
  { address: '/admin/queues/mails_failed', title: 'Undelivered mail', access: 'admin' },
  { address: '/admin/queues/invoices_overdue', title: 'Overdue invoices', access: 'admin' },
  {
    address: `/admin/users/${customerId}/asn_verifications/new`,
    title: 'Send ASN Verification',
    access: 'admin',
  },
]

export const screensFor = (...access: readonly Access[]): readonly Screen[] =>
  SCREENS.filter((screen) => access.includes(screen.access))

/** The role that sees a page of this access in full. */
export const READER = { public: 'anonymous', session: 'customer', verified: 'customer', admin: 'staff' } as const
