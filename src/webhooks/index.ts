/** Webhooks, as the application may call them. */
import type { Reconciler } from '../platform/reconcile.ts'
import { fanOutReconciler, retentionReconciler } from './fan-out-job.ts'
import { deliveryReconciler } from './delivery-job.ts'
import type { WebhooksDeps } from './deps.ts'

/** What the one worker runs: events become deliveries, deliveries are sent, and what is old goes. */
export const webhooksReconcilers = (deps: WebhooksDeps): Reconciler[] => [
  fanOutReconciler(deps),
  deliveryReconciler(deps),
  retentionReconciler(deps),
]

export type { WebhooksDeps } from './deps.ts'
export { webhooksApi } from './contract.ts'
export { webhooksRoutes } from './routes.ts'
