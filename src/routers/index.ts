/** The functions of routers that later slices and the application may call. */
import type { Reconciler } from '../platform/reconcile.ts'
import type { RouterContributions, RoutersDeps } from './deps.ts'
import { staleHypervisorAgentReconciler } from './hypervisors/stale-agent-job.ts'
import { hypervisorInfoReconciler } from './hypervisors/facts.ts'
import { portGuard } from './hypervisors/ports.ts'
import { hypervisorWatch } from './hypervisors/hypervisor-watch.ts'
import { routerRetention } from './metrics/retention.ts'
import { metricsSampler } from './metrics/sampler.ts'
import { routerAlertReconciler } from './router-alerts.ts'
import { routerMoves } from './moves.ts'
import { orphanedResourcesReconciler } from './hypervisors/orphaned-resources.ts'
import { routerReconciler } from './reconciler.ts'
import { suspensionReconciler } from './suspension-job.ts'
import type { Watched } from './hypervisors/watch-start-times.ts'

/**
 * The reconcilers of routers that the leader of the workers runs. Suspension follows the account billing status
 * automatically: code that writes the status need not call routers.
 */
export const routersReconcilers = (
  deps: Pick<RoutersDeps, 'db' | 'clock' | 'config' | 'publicUrl' | 'secretKey'>,
): Reconciler[] => [
  suspensionReconciler(deps),
  routerAlertReconciler(deps),
  staleHypervisorAgentReconciler(deps),
  routerMoves(deps),
  routerRetention(deps),
]

export type HypervisorAgentDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors'> & {
  /** Every process that drives must name it, so that none forgets what to charge. */
  readonly pricing: RoutersDeps['pricing'] | undefined
  readonly contributions: Pick<RouterContributions, 'guestConfig'>
}

/**
 * The reconcilers of a process that drives a hypervisor, for its routers alone. The first listens to it; the others
 * also work without that, only later.
 */
export function hypervisorReconcilers(deps: HypervisorAgentDeps): Reconciler[] {
  const watched: Watched = new Map()
  const { pricing, ...rest } = deps
  const host = { ...rest, ...(pricing && { pricing }) }
  return [
    hypervisorWatch({ ...deps, watched }),
    routerReconciler({ ...host, watched }),
    orphanedResourcesReconciler(deps),
    metricsSampler(deps),
    hypervisorInfoReconciler({ ...deps, watched }),
    portGuard({ ...deps, watched }),
  ]
}

export type { GuestContribution, RouterContributions, RouterPricing, RoutersDeps } from './deps.ts'
export { routersApi } from './contract.ts'
export { macOf } from './addresses.ts'
export { viewOwnRouter } from './own-view.ts'
export { purgeDeleted } from './deletion.ts'
export { createRouter, type Order } from './create.ts'
export { routersRoutes } from './routes.ts'
export { routerConditions } from './search.ts'
export { listRouters } from './staff-list.ts'
export { countRouters, findRouters, ownsRouter, ownsRouters, type RouterEntry } from './directory.ts'
export { hypervisorsWithUsage, type HypervisorWithUsage } from './inventory/hypervisor-usage.ts'
export { addPlan, retirePlan, type NewPlan } from './inventory/plans.ts'
export { inventoryApi } from './inventory/contract.ts'
export { mountAgentConsoles } from './consoles/agent-routes.ts'
export { runHypervisorAgent } from './hypervisors/agent.ts'
export { reassignHypervisor } from './inventory/reassign-hypervisor.ts'
export { listLeased } from './hypervisors/leases.ts'
export { setHypervisor, type HypervisorSettings } from './inventory/hypervisor-settings.ts'
export { drainHypervisor, listHypervisors, removeHypervisor } from './inventory/hypervisors.ts'
export { planDrain } from './inventory/drain-plan.ts'
export { addImage, type NewImage } from './inventory/images.ts'
export type { NewPool } from './inventory/new-pool.ts'
export { addPool } from './inventory/pools.ts'
export { addSite } from './inventory/sites.ts'
export { offeredPlans, planUse, setPlanPrice, type OfferedPlan } from './inventory/plan-prices.ts'
export { routerUsagePeriods, type RouterUsagePeriod } from './usage-periods.ts'
export { trafficSlots, type TrafficSlot } from './metrics/series.ts'
export { accountsWithTraffic } from './metrics/accounts-with-traffic.ts'
export { busiestSlots, type SlotAnswer, type SlotQuestion } from './metrics/busiest.ts'
export { rankTraffic, type Traffic } from './metrics/rank-traffic.ts'
export {
  backdateRouter,
  seedHistoricRouters,
  seedHistoricTraffic,
  seedHypervisorHistory,
  seedMissingImage,
  seedRouters,
  seedSite,
  type HistoricRouter,
  type SeedOptions,
} from './seed.ts'
