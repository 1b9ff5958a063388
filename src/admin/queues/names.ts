/** The queues of staff. Browser-safe: the pages use these names and this order. */
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

/** Counting stops here, which keeps it cheap; nobody needs to know how many more there are. */
export const QUEUE_COUNT_CAP = 1_000
