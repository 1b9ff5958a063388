/** Read access of staff across all slices: the GraphQL API, the search, and the audit log. */
import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/db/index.ts'
import { mountGraphql } from '../platform/graphql/transport.ts'
import type { Log } from '../platform/log.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { headExportReconciler, type HeadExportDeps } from './audit/head-export.ts'
import { auditRoutes } from './audit/routes.ts'
import { verificationReconciler } from './audit/verification.ts'
import { filesRoutes } from './files/routes.ts'
import type { LoaderSources } from './graphql/schema-builder.ts'
import { queuesRoutes } from './queues/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { siteContentRoutes } from './site-content/routes.ts'

export { auditApi } from './audit/contract.ts'
export { filesApi } from './files/contract.ts'
export { queuesApi } from './queues/contract.ts'
export { siteContentApi } from './site-content/contract.ts'
export { searchApi } from './search/contract.ts'
export type { RevenueSource } from './graphql/schema-builder.ts'

/** The worker jobs of this slice. */
export const adminReconcilers = (deps: HeadExportDeps): Reconciler[] => [
  verificationReconciler(deps),
  headExportReconciler(deps),
]

export interface AdminDeps extends LoaderSources {
  readonly db: Db
  readonly clock: Clock
  /** The default if the operator has set no other address. */
  readonly supportEmail: string
  readonly log: Log
}

export function adminRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps
  mountGraphql(app, async () => (await import('./graphql/engine.ts')).openStaffEngine(deps))
  searchRoutes(app, { db })
  auditRoutes(app, deps)
  filesRoutes(app, deps)
  queuesRoutes(app, deps)
  siteContentRoutes(app, deps)
}
