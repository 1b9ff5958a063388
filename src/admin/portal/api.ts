/** Staff queries across slices, each with the topics whose change events make it stale. */
import { createClient } from '../../ui/runtime/client.ts'
import type { QueuesApi } from '../queues/contract.ts'
import type { QueueName } from '../queues/names.ts'
import type { SearchApi } from '../search/contract.ts'
import type { SiteContentApi } from '../site-content/contract.ts'
import { cursor, pages } from '../../ui/staff/pages.ts'

type StaffApi = QueuesApi & Omit<SiteContentApi, 'GET /api/notice'> & SearchApi

export const staff = createClient<StaffApi>({
  topics: {
    'GET /api/admin/queues/{queue}': ['prefix', 'user', 'connection', 'router', 'invoice', 'mail'],
    'GET /api/admin/site_content': ['notice'],
  },
})

export const siteContent = () => staff.query['GET /api/admin/site_content']()

export const queues = () => staff.query['GET /api/admin/queues']()

export const queueOf = (queue: QueueName) =>
  pages((before) =>
    staff.query['GET /api/admin/queues/{queue}']({ params: { queue }, query: cursor('before', before) }),
  )
