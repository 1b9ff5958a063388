/** The API contract of webhooks. */
import { z } from 'zod'
import { defineApi, type Answer } from '../kernel/endpoint.ts'
import { PUBLIC_EVENT_TYPES } from '../kernel/public-events.ts'
import { byId, bigId, givenTime, pageOf, time } from '../kernel/shapes.ts'
import { DELIVERY_STATES, RETENTION_DAYS, OVERLAP_HOURS, OVERLAP_HOURS_MAX } from './states.ts'

const byDelivery = byId.extend({ deliveryId: bigId })
const eventType = z.enum(PUBLIC_EVENT_TYPES)

const url = z.string().trim().min(1, 'is required').max(2_000, 'is too long')
const description = z.string().trim().max(200, 'is too long')
const events = z
  .array(eventType)
  .min(1, 'takes at least one')
  .transform((chosen) => [...new Set(chosen)])

const endpoint = z.object({
  id: z.int(),
  url: z.string(),
  description: z.string(),
  events: z.array(eventType),
  enabled: z.boolean(),
  /** Why we stopped sending; null when its owner disabled it. */
  disabledReason: z.string().nullable(),
  createdAt: time,
  lastSuccessAt: time.nullable(),
  /** Until when messages are also signed with the previous secret. */
  previousSecretUntil: time.nullable(),
  /** Kept messages that wait to be sent, and those that failed. */
  pending: z.int(),
  failed: z.int(),
})
const withSecret = endpoint.extend({ secret: z.string() })

const delivery = z.object({
  id: z.int(),
  endpointId: z.int(),
  /** `Webhook-Id`: the same in every attempt and every replay. */
  messageId: z.string(),
  type: z.string(),
  occurredAt: time,
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  lastDurationMs: z.int().nullable(),
  nextAttemptAt: time.nullable(),
  deliveredAt: time.nullable(),
})
const attempt = z.object({
  at: time,
  status: z.int().nullable(),
  durationMs: z.int(),
  error: z.string().nullable(),
  /** The beginning of the receiver's response. */
  excerpt: z.string().nullable(),
})
const deliveryDetail = delivery.extend({
  /** Newest first. */
  log: z.array(attempt),
  /** The message as sent; null until the first attempt, and for a token that may not read its contents. */
  body: z.string().nullable(),
})
const page = z.object({
  before: bigId.optional(),
  limit: pageOf(100).default(50),
  state: z.enum(DELIVERY_STATES).optional(),
})
const deliveryPage = z.object({ deliveries: z.array(delivery), next: z.int().nullable() })

export const webhooksApi = defineApi({
  'GET /api/webhooks': { summary: 'Webhook endpoints of the account', access: 'session', ok: [200, z.array(endpoint)] },
  'POST /api/webhooks': {
    summary: 'Add an endpoint. Returns the secret that signs its messages once',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ url, description: description.default(''), events, enabled: z.boolean().default(true) }),
    ok: [201, withSecret],
    errors: [409],
  },
  'GET /api/webhooks/{id}': { summary: 'A webhook endpoint', access: 'session', params: byId, ok: [200, endpoint] },
  'PATCH /api/webhooks/{id}': {
    summary: 'Change an endpoint, or turn it on or off. Waiting messages are sent when it is on again',
    access: 'session',
    impersonation: 'never',
    params: byId,
    body: z.strictObject({
      url: url.optional(),
      description: description.optional(),
      events: events.optional(),
      enabled: z.boolean().optional(),
    }),
    ok: [200, endpoint],
  },
  'DELETE /api/webhooks/{id}': {
    summary: 'Remove an endpoint and its log',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
  },
  'POST /api/webhooks/{id}/secret': {
    summary:
      'Create a new secret, shown once. The previous one stays valid for a while: messages carry both signatures',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    params: byId,
    body: z.strictObject({ overlapHours: z.int().min(0).max(OVERLAP_HOURS_MAX).default(OVERLAP_HOURS) }),
    ok: [200, withSecret],
  },
  'POST /api/webhooks/{id}/ping': {
    summary: 'Send a test message without content',
    access: 'session',
    auditMessage: 'sent a test message to one of your webhooks',
    params: byId,
    body: z.strictObject({}),
    ok: [202, delivery],
    errors: [409],
  },
  'POST /api/webhooks/{id}/replay': {
    summary: `Send all events since a time again, at most ${RETENTION_DAYS} days ago, with their original ids`,
    access: 'session',
    auditMessage: 'had messages sent to one of your webhooks again',
    params: byId,
    body: z.strictObject({ since: givenTime }),
    ok: [202, z.object({ queued: z.int(), more: z.boolean() })],
    errors: [409],
  },
  'GET /api/webhooks/{id}/deliveries': {
    summary: 'Deliveries to an endpoint, newest first',
    access: 'session',
    params: byId,
    query: page,
    ok: [200, deliveryPage],
  },
  'GET /api/webhooks/{id}/deliveries/{deliveryId}': {
    summary: 'One delivery with its attempts',
    access: 'session',
    params: byDelivery,
    ok: [200, deliveryDetail],
  },
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/replay': {
    summary: 'Send a message again with its original id',
    access: 'session',
    auditMessage: 'had a message sent to one of your webhooks again',
    params: byDelivery,
    body: z.strictObject({}),
    ok: [202, delivery],
    errors: [409],
  },
  'GET /api/admin/users/{id}/webhooks': {
    summary: "A customer's webhook endpoints",
    access: 'admin',
    params: byId,
    ok: [200, z.array(endpoint)],
  },
  'GET /api/admin/users/{id}/webhook_deliveries': {
    summary: 'Webhook deliveries of a customer, newest first, without payloads',
    access: 'admin',
    params: byId,
    query: page,
    ok: [200, deliveryPage],
  },
})

export type WebhooksApi = typeof webhooksApi
export type WebhookEndpoint = Answer<WebhooksApi['GET /api/webhooks/{id}']>
export type WebhookEndpointWithSecret = Answer<WebhooksApi['POST /api/webhooks']>
export type WebhookDelivery = Answer<WebhooksApi['POST /api/webhooks/{id}/ping']>
export type WebhookDeliveryDetail = Answer<WebhooksApi['GET /api/webhooks/{id}/deliveries/{deliveryId}']>
export type WebhookAttempt = WebhookDeliveryDetail['log'][number]
