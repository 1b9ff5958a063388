/** Loads the data of staff pages before they render, as soon as the pointer is over the link. */
import { queryClient } from '../../ui/live/query-client.ts'
import type { QueueName } from '../queues/names.ts'
import { queueOf, queues, siteContent } from './api.ts'
import { load } from '../../ui/graphql/client.ts'
import { verification } from './audit/api.ts'
import { hasRole } from '../../kernel/required-role.ts'
import { session } from '../../ui/runtime/session.ts'
import { startOfYesterday } from '../../accounts/portal/staff/user-name.ts'
import { dashboardFor } from './documents/dashboard.ts'
import { QUEUE_LABELS } from './queues/queue-labels.ts'
import { system } from './system.ts'

/** Never fails: a page without the notice is better than no page. */
export const loadSystem = () => queryClient.prefetchQuery(system())

export const loadAudit = () => queryClient.ensureQueryData(verification())

/** Loads the data of all dashboard sections in parallel. A section that fails shows its own error. */
export const loadDashboard = () =>
  Promise.all([
    load(dashboardFor(hasRole(session.current()?.roles ?? [], 'billing')), { since: startOfYesterday() }),
    queryClient.prefetchQuery(queues()),
  ])

export const loadSiteContent = () => queryClient.ensureQueryData(siteContent())

/** Also returns the label, so that the labels of queues are only loaded with a queue. */
export async function loadQueue(queue: QueueName): Promise<{ label: string }> {
  await queryClient.ensureInfiniteQueryData(queueOf(queue))
  return { label: QUEUE_LABELS[queue].label }
}
