import type { QueueName } from '../../queues/names.ts'

export interface QueueWords {
  readonly label: string
  /** Under the number. */
  readonly waits: string
  /** When there is nothing. */
  readonly empty: string
  /** The screen that lists it already; without one it has a screen of its own. */
  readonly href?: string
  /** Where its number stands in the navigation. */
  readonly place: string
}

export const QUEUE_WORDS: Readonly<Record<QueueName, QueueWords>> = {
  prefixes_pending: {
    label: 'Prefixes to decide',
    waits: 'awaiting a decision',
    empty: 'No prefixes to decide',
    href: '/admin/prefixes/?status=pending',
    place: '/admin/prefixes/',
  },
  prefixes_needing_action: {
    label: 'Prefixes needing action',
    waits: 'awaiting the customer',
    empty: 'No prefixes need customer action',
    href: '/admin/prefixes/?status=needs_action',
    place: '/admin',
  },
  asn_verifications: {
    label: 'ASNs to verify',
    waits: 'not contacted yet',
    empty: 'No ASNs to verify',
    place: '/admin/users/',
  },
  routers_failed: {
    label: 'Failed routers',
    waits: 'not running',
    empty: 'No failed routers',
    href: '/admin/routers/?state=failed',
    place: '/admin/routers/',
  },
  invoices_overdue: {
    label: 'Overdue invoices',
    waits: 'past due',
    empty: 'No overdue invoices',
    place: '/admin',
  },
  payments_disputed: {
    label: 'Disputed payments',
    waits: 'disputed with the bank',
    empty: 'No disputed payments',
    place: '/admin',
  },
  mails_failed: {
    label: 'Undelivered mail',
    waits: 'delivery failed',
    empty: 'All mail delivered',
    place: '/admin',
  },
  edges_refusing: {
    label: 'Edges with an error',
    waits: 'running the previous configuration',
    empty: 'All edges in sync',
    href: '/admin/stock/edges',
    place: '/admin/stock',
  },
  hypervisors_away: {
    label: 'Unreachable hypervisors',
    waits: 'not responding',
    empty: 'All hypervisors reachable',
    href: '/admin/stock/hypervisors',
    place: '/admin/stock',
  },
}

export const queueHref = (queue: QueueName): string => QUEUE_WORDS[queue].href ?? `/admin/queues/${queue}`
