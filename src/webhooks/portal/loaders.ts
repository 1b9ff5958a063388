import { queryClient } from '../../ui/live/query-client.ts'
import { webhooks } from './api.ts'

export const loadWebhook = (id: number) =>
  queryClient.ensureQueryData(webhooks.query['GET /api/webhooks/{id}']({ params: { id } }))
