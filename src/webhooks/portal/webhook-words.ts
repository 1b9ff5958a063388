/** What endpoints and deliveries are called. */
import type { Area } from '../../kernel/scope.ts'
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { WebhookDelivery, WebhookEndpoint } from '../contract.ts'

export const AREA_TITLES: Readonly<Partial<Record<Area, string>>> = {
  routers: 'Routers',
  transit: 'IP Transit',
  billing: 'Billing',
}

interface Look {
  readonly tone: Tone
  readonly word: string
}

export function lookOfEndpoint({ enabled, disabledReason, failed, pending }: WebhookEndpoint): Look {
  if (disabledReason) return { tone: 'bad', word: 'Disabled after failures' }
  if (!enabled) return { tone: 'off', word: 'Off' }
  if (failed > 0) return { tone: 'warn', word: `On, ${failed} failed` }
  return pending > 0 ? { tone: 'waiting', word: `On, ${pending} pending` } : { tone: 'ok', word: 'On' }
}

export function lookOfDelivery({ state, attempts }: WebhookDelivery): Look {
  if (state === 'DELIVERED') return { tone: 'ok', word: 'Delivered' }
  if (state === 'FAILED') return { tone: 'bad', word: 'Failed' }
  return attempts === 0 ? { tone: 'busy', word: 'Sending' } : { tone: 'warn', word: 'Retry scheduled' }
}
