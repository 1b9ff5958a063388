/** Labels of endpoints and deliveries. */
import type { Area } from '../../kernel/scope.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { WebhookDelivery, WebhookEndpoint } from '../contract.ts'

export const AREA_TITLES: Readonly<Partial<Record<Area, string>>> = {
  routers: 'Routers',
  transit: 'IP Transit',
  billing: 'Billing',
}

interface Badge {
  readonly tone: Tone
  readonly label: string
}

export function endpointBadge({ enabled, disabledReason, failed, pending }: WebhookEndpoint): Badge {
  if (disabledReason) return { tone: 'bad', label: 'Disabled after failures' }
  if (!enabled) return { tone: 'off', label: 'Off' }
  if (failed > 0) return { tone: 'warn', label: `On, ${failed} failed` }
  return pending > 0 ? { tone: 'waiting', label: `On, ${pending} pending` } : { tone: 'ok', label: 'On' }
}

export function deliveryBadge({ state, attempts }: WebhookDelivery): Badge {
  if (state === 'DELIVERED') return { tone: 'ok', label: 'Delivered' }
  if (state === 'FAILED') return { tone: 'bad', label: 'Failed' }
  return attempts === 0 ? { tone: 'busy', label: 'Sending' } : { tone: 'warn', label: 'Retry scheduled' }
}
