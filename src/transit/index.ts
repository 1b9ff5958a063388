/** IP transit, as later slices and the application may call it. */
import type { Reconciler } from '../platform/reconcile.ts'
import { asSetReconciler } from './prefixes/checks/as-set-job.ts'
import { checkReconciler } from './prefixes/checks/check-job.ts'
import type { EdgeDeps, TransitDeps } from './deps.ts'
import { registrationReconciler } from './evidence/registration-job.ts'
import { reverseDnsReconciler } from './evidence/reverse-dns-job.ts'
import { staleEdgeAgentReconciler } from './edges/stale-agent-job.ts'
import { neighborReconciler } from './edges/neighbors.ts'
import { edgeRpkiReconciler, rpkiComparer } from './edges/rpki.ts'
import { upstreamAlertReconciler } from './edges/upstream-alerts.ts'
import { upstreamRejectionReconciler } from './edges/upstream-rejections.ts'
import { upstreamReconciler } from './edges/upstreams.ts'
import { controlTimers } from './controls/timers.ts'
import { edgeReconciler } from './configuration/edge-job.ts'
import { heldDecisionReconciler } from './prefixes/held-decisions.ts'
import { importReconciler } from './prefixes/import-job.ts'
import { routeReconciler } from './prefixes/route-job.ts'
import { sessionAlertReconciler } from './sessions/session-alerts.ts'
import { sessionReconciler } from './sessions/session-job.ts'
import { maintenanceNotifier } from './maintenance/notify-job.ts'
import { answerReconciler } from './looking-glass/answer-job.ts'

/** The jobs of the lead worker for transit: checks of prefixes and AS-SETs, and stale agents. */
export const transitReconcilers = (deps: TransitDeps): Reconciler[] => [
  checkReconciler(deps),
  heldDecisionReconciler(deps),
  asSetReconciler(deps),
  importReconciler(deps),
  registrationReconciler(deps),
  reverseDnsReconciler(deps),
  staleEdgeAgentReconciler(deps),
  rpkiComparer(deps),
  sessionAlertReconciler(deps),
  upstreamAlertReconciler(deps),
  controlTimers(deps),
  maintenanceNotifier(deps),
]

/** The jobs of the process that manages an edge, for that edge only. */
export const edgeReconcilers = (deps: EdgeDeps): Reconciler[] => [
  edgeReconciler(deps),
  neighborReconciler(deps),
  edgeRpkiReconciler(deps),
  upstreamReconciler(deps),
  upstreamRejectionReconciler(deps),
  sessionReconciler(deps),
  routeReconciler(deps),
  answerReconciler(deps),
]

export type { EdgeDeps, TransitDeps, TransitSetUp, TransitWriter } from './deps.ts'
export { readUpstreams } from './deps.ts'
export { setMaintenance } from './edges/maintenance.ts'
export { addEdge, changeEdge, removeEdge } from './edges/inventory.ts'
export { viewEdges } from './edges/views.ts'
export { runEdgeAgent } from './edges/agent.ts'
export type { Operator } from './configuration/desired.ts'
export { transitApi } from './contract.ts'
export { transitRoutes } from './routes.ts'
export { suspendUnproved } from './connections/connections.ts'
export { guestConfig, type GuestContribution } from './configuration/guest/guest-config.ts'
export { viewConnection } from './sessions/connection-view.ts'
export { viewOwnWindow } from './maintenance/own-windows.ts'
export { viewOwnPrefix } from './prefixes/prefix-views.ts'
export { routerSessions, routerSessionStates } from './sessions/session-view.ts'
export { seedSecondTransit, seedTransit, type TransitSeed } from './seed.ts'
export { EVIDENCE_KINDS, STRENGTHS, type Evidence } from './evidence/evidence.ts'
export {
  findPrefix,
  PREFIX_SORTS,
  prefixesThatFit,
  sortKeyOfPrefixes,
  prefixesOfAccounts,
  registryHoldersOf,
  strongestEvidenceOf,
  transitOfAccounts,
  type PrefixFilter,
  type PrefixRecord,
  type TransitRecord,
} from './staff-queries.ts'
