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
    waits: 'wait for a decision',
    empty: 'No prefix waits for a decision',
    href: '/admin/prefixes/?status=pending',
    place: '/admin/prefixes/',
  },
  prefixes_needing_action: {
    label: 'Prefixes needing action',
    waits: 'wait for their owner',
    empty: 'No prefix waits for its owner',
    href: '/admin/prefixes/?status=needs_action',
    place: '/admin',
  },
  asn_verifications: {
    label: 'ASNs to verify',
    waits: 'not contacted yet',
    empty: 'No ASN waits for a proof',
    place: '/admin/users/',
  },
  routers_failed: {
    label: 'Failed routers',
    waits: 'cannot go on',
    empty: 'No router has failed',
    href: '/admin/routers/?state=failed',
    place: '/admin/routers/',
  },
  invoices_overdue: {
    label: 'Overdue invoices',
    waits: 'not paid in time',
    empty: 'No invoice is overdue',
    place: '/admin',
  },
  payments_disputed: {
    label: 'Disputed payments',
    waits: 'taken back by a bank',
    empty: 'No payment is disputed',
    place: '/admin',
  },
  mails_failed: {
    label: 'Undelivered mail',
    waits: 'given up',
    empty: 'All mail was delivered',
    place: '/admin',
  },
  edges_refusing: {
    label: 'Edges with an error',
    waits: 'run on the last good configuration',
    empty: 'The edge takes what it is told',
    href: '/admin/stock/edges',
    place: '/admin/stock',
  },
  hypervisors_away: {
    label: 'Unreachable hypervisors',
    waits: 'do not answer',
    empty: 'Every hypervisor answers',
    href: '/admin/stock/hypervisors',
    place: '/admin/stock',
  },
}

export const queueHref = (queue: QueueName): string => QUEUE_WORDS[queue].href ?? `/admin/queues/${queue}`
