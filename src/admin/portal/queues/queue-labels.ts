import type { QueueName } from '../../queues/names.ts'

export interface QueueLabels {
  readonly label: string
  /** Shown below the count. */
  readonly waits: string
  /** Shown if the queue is empty. */
  readonly empty: string
  /** A page that already lists these items; without it the queue has its own page. */
  readonly href?: string
  /** The navigation item that shows its count; the dashboard's shows that of all queues. */
  readonly path?: string
  /** Customers' traffic suffers while an item waits: it is red and comes first. */
  readonly outage?: true
}

export const QUEUE_LABELS: Readonly<Record<QueueName, QueueLabels>> = {
  prefixes_pending: {
    label: 'Pending prefixes',
    waits: 'awaiting a decision',
    empty: 'No pending prefixes',
    href: '/admin/prefixes/?status=pending',
    path: '/admin/prefixes/',
  },
  prefixes_needing_action: {
    label: 'Prefixes needing action',
    waits: 'awaiting the customer',
    empty: 'No prefixes need customer action',
    href: '/admin/prefixes/?status=needs_action',
  },
  prefixes_ending: {
    label: 'Prefixes to be suspended',
    waits: 'lost what they were approved for',
    empty: 'No prefixes to be suspended',
  },
  asn_verifications: {
    label: 'ASNs to verify',
    waits: 'not contacted yet',
    empty: 'No ASNs to verify',
    path: '/admin/users/',
  },
  second_factor_resets: {
    label: 'Second factors to reset',
    waits: 'awaiting an approval',
    empty: 'No second factor resets to approve',
    path: '/admin/users/',
  },
  routers_failed: {
    label: 'Failed routers',
    waits: 'not running',
    empty: 'No failed routers',
    href: '/admin/routers/?state=failed',
    path: '/admin/routers/',
    outage: true,
  },
  invoices_overdue: {
    label: 'Overdue invoices',
    waits: 'past due',
    empty: 'No overdue invoices',
  },
  payments_disputed: {
    label: 'Disputed payments',
    waits: 'disputed with the bank',
    empty: 'No disputed payments',
  },
  mails_failed: {
    label: 'Undelivered mail',
    waits: 'delivery failed',
    empty: 'All mail delivered',
  },
  route_limits: {
    label: 'Route limits to decide',
    waits: 'awaiting a decision',
    empty: 'No route limits to decide',
    href: '/admin/sessions',
    path: '/admin/sessions',
  },
  edges_failing: {
    label: 'Edges with an error',
    waits: 'unreachable, on an earlier configuration, or with an upstream down',
    empty: 'All edges in sync',
    href: '/admin/inventory/edges',
    path: '/admin/inventory',
    outage: true,
  },
  hypervisors_unreachable: {
    label: 'Unreachable hypervisors',
    waits: 'not responding',
    empty: 'All hypervisors reachable',
    href: '/admin/inventory/hypervisors',
    path: '/admin/inventory',
    outage: true,
  },
}

export const queueHref = (queue: QueueName): string => QUEUE_LABELS[queue].href ?? `/admin/queues/${queue}`
