import type { Noun } from '../../kernel/news.ts'
import { createClient } from '../../portal/client.ts'
import type { WebhooksApi } from '../contract.ts'

const NEWS: readonly Noun[] = ['webhook', 'webhook_delivery']

export const webhooks = createClient<WebhooksApi>({
  news: {
    'GET /api/webhooks': NEWS,
    'GET /api/webhooks/{id}': NEWS,
    'GET /api/webhooks/{id}/deliveries/{deliveryId}': NEWS,
    'GET /api/admin/users/{id}/webhooks': NEWS,
  },
})
export const DELIVERY_NEWS = NEWS
