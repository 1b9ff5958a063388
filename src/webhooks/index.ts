/** Webhooks, as the application may call them. */
import type { Reconciler } from '../platform/reconcile.ts'
import { fanOutReconciler, retentionReconciler } from './fan-out-job.ts'
import { deliveryReconciler } from './delivery-job.ts'
import type { WebhooksDeps } from './deps.ts'

/** The jobs of the lead worker for webhooks: fan out events, send deliveries, remove old ones. */
export const webhooksReconcilers = (deps: WebhooksDeps): Reconciler[] => [
  fanOutReconciler(deps),
  deliveryReconciler(deps),
  retentionReconciler(deps),
]

export type { WebhooksDeps } from './deps.ts'
export { webhooksApi } from './contract.ts'
export { webhooksRoutes } from './routes.ts'
