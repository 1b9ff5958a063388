/** IP transit, as the later slices and the application may call it. */
import type { Reconciler } from '../platform/reconcile.ts'
import { asSetReconciler } from './checks/as-set-job.ts'
import { checkReconciler } from './checks/check-job.ts'
import type { EdgeDeps, TransitDeps } from './deps.ts'
import { edgeAbsence } from './edges/absence.ts'
import { neighborReconciler } from './edges/neighbors.ts'
import { edgeReconciler } from './filters/edge-job.ts'
import { routeReconciler } from './route-job.ts'
import { sessionReconciler } from './session-job.ts'
import { passwordSealer } from './session-password.ts'

/** What the leader of the workers runs: checks of prefixes and AS-SETs, and who watches no edge any more. */
export const transitReconcilers = (deps: TransitDeps): Reconciler[] => [
  passwordSealer(deps),
  checkReconciler(deps),
  asSetReconciler(deps),
  edgeAbsence(deps),
]

/** What the process runs that drives an edge, for that edge alone. */
export const edgeReconcilers = (deps: EdgeDeps): Reconciler[] => [
  edgeReconciler(deps),
  neighborReconciler(deps),
  sessionReconciler(deps),
  routeReconciler(deps),
]

export type { EdgeDeps, TransitDeps, TransitSetUp } from './deps.ts'
export { setMaintenance } from './edges/maintenance.ts'
export { addEdge, changeEdge, removeEdge } from './edges/stock.ts'
export { viewEdges } from './edges/views.ts'
export { driveEdge } from './edges/drive.ts'
export type { Operator } from './filters/desired.ts'
export { transitApi } from './contract.ts'
export { transitRoutes } from './routes.ts'
export { suspendUnproved } from './connections.ts'
export { guestConfig, type GuestContribution } from './guest/guest-config.ts'
export { viewConnection } from './connection-view.ts'
export { viewOwnPrefix } from './prefix-views.ts'
export { routerSessions } from './session-view.ts'
export { seedTransit, type TransitSeed } from './seed.ts'
export {
  findPrefix,
  prefixesThatFit,
  prefixesOfUsers,
  transitOfUsers,
  type PrefixFilter,
  type PrefixRecord,
  type TransitRecord,
} from './staff-queries.ts'
