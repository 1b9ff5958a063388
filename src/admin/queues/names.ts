/** What waits for a person. Browser-safe: the screens name and order them by this. */
export const QUEUES = [
  'prefixes_pending',
  'prefixes_needing_action',
  'prefixes_ending',
  'asn_verifications',
  'second_factor_resets',
  'routers_failed',
  'invoices_overdue',
  'payments_disputed',
  'mails_failed',
  'route_limits',
  'edges_failing',
  'hypervisors_unreachable',
] as const
export type QueueName = (typeof QUEUES)[number]

/** Counted so far and no further: beyond it nobody needs to know how many more, and the count stays cheap. */
export const QUEUE_COUNT_CAP = 1_000
