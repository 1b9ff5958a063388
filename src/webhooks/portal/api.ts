import type { Topic } from '../../kernel/change-topics.ts'
import { createClient } from '../../ui/runtime/client.ts'
import type { WebhooksApi } from '../contract.ts'

const TOPICS: readonly Topic[] = ['webhook', 'webhook_delivery']

export const webhooks = createClient<WebhooksApi>({
  topics: {
    'GET /api/webhooks': TOPICS,
    'GET /api/webhooks/{id}': TOPICS,
    'GET /api/webhooks/{id}/deliveries/{deliveryId}': TOPICS,
    'GET /api/admin/users/{id}/webhooks': TOPICS,
  },
})
export const DELIVERY_TOPICS = TOPICS
