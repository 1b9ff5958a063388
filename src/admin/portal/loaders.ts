/** What the staff's screens need before they are drawn: read while the pointer is still on its way to the link. */
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

/** Never fails: a screen without the notice is better than none. */
export const loadSystem = () => queryClient.prefetchQuery(system())

export const loadAudit = () => queryClient.ensureQueryData(verification())

/** What the other parts of it show loads with them: a part that fails shows its error in its place. */
export const loadDashboard = () =>
  Promise.all([
    load(dashboardFor(hasRole(session.current()?.roles ?? [], 'billing')), { since: startOfYesterday() }),
    queryClient.prefetchQuery(queues()),
  ])

export const loadSiteContent = () => queryClient.ensureQueryData(siteContent())

/** Also what it is called: its words are not fetched before it is looked at. */
export async function loadQueue(queue: QueueName): Promise<{ label: string }> {
  await queryClient.ensureInfiniteQueryData(queueOf(queue))
  return { label: QUEUE_LABELS[queue].label }
}
