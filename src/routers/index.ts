/** Routers, as the later slices and the application may call them. */
import type { Reconciler } from '../platform/reconcile.ts'
import type { RouterContributions, RoutersDeps } from './deps.ts'
import { hypervisorAbsence } from './hosts/absence.ts'
import { hypervisorFacts } from './hosts/facts.ts'
import { portGuard } from './hosts/ports.ts'
import { hypervisorWatch } from './hypervisor-watch.ts'
import { routerRetention } from './metrics/retention.ts'
import { metricsSampler } from './metrics/sampler.ts'
import { routerMoves } from './moves.ts'
import { orphanSweep } from './orphans.ts'
import { routerReconciler } from './reconciler.ts'
import { standingReconciler } from './standing.ts'
import type { Watched } from './watched.ts'

/**
 * What the leader of the workers runs for routers. Suspension follows the standing of accounts by itself: whoever writes
 * that need not speak to routers.
 */
export const routersReconcilers = (deps: Pick<RoutersDeps, 'db' | 'clock'>): Reconciler[] => [
  standingReconciler(deps),
  hypervisorAbsence(deps),
  routerMoves(deps),
  routerRetention(deps),
]

export type HostDeps = Pick<RoutersDeps, 'db' | 'clock' | 'log' | 'hypervisors'> & {
  /** Named by every process that drives, so that none forgets what to charge. */
  readonly pricing: RoutersDeps['pricing'] | undefined
  readonly contributions: Pick<RouterContributions, 'guestConfig'>
}

/**
 * What the process runs that drives a hypervisor, for the routers on it alone. The first listens to it; each of the
 * others works without that, only later.
 */
export function hostReconcilers(deps: HostDeps): Reconciler[] {
  const watched: Watched = new Map()
  const { pricing, ...rest } = deps
  const host = { ...rest, ...(pricing && { pricing }) }
  return [
    hypervisorWatch({ ...deps, watched }),
    routerReconciler({ ...host, watched }),
    orphanSweep(deps),
    metricsSampler(deps),
    hypervisorFacts({ ...deps, watched }),
    portGuard({ ...deps, watched }),
  ]
}

export type { GuestContribution, RouterContributions, RouterPricing, RoutersDeps } from './deps.ts'
export { routersApi } from './contract.ts'
export { macOf } from './addresses.ts'
export { viewOwnRouter } from './own-view.ts'
export { giveUpDeleted } from './deletion.ts'
export { createRouter, type Order } from './create.ts'
export { routersRoutes } from './routes.ts'
export { routerConditions } from './search.ts'
export { listRouters } from './staff-list.ts'
export { countRouters, findRouters, ownsRouters, type RouterEntry } from './directory.ts'
export { hypervisorsWithUsage, type HypervisorWithUsage } from './hypervisors.ts'
export { addPlan, retirePlan, type NewPlan } from './stock/plans.ts'
export { stockApi } from './stock/contract.ts'
export { mountHostConsoles } from './consoles/host-routes.ts'
export { driveHypervisor } from './hosts/drive.ts'
export { adoptHypervisor } from './hosts/adopt.ts'
export { listDriven } from './hosts/claim.ts'
export { setHypervisor, type HypervisorSettings } from './stock/hypervisor-settings.ts'
export { drainHypervisor, listHypervisors } from './stock/hypervisors.ts'
export { planDrain } from './stock/drain-plan.ts'
export { addImage, type NewImage } from './stock/images.ts'
export type { NewPool } from './stock/new-pool.ts'
export { addPool } from './stock/pools.ts'
export { addSite } from './stock/sites.ts'
export { offeredPlans, planUse, setPlanPrice, type OfferedPlan } from './plan-prices.ts'
export { routerSpans, type RouterSpan } from './spans.ts'
export { trafficSlots, type TrafficSlot } from './metrics/series.ts'
export { busiestSlots, type SlotAnswer, type SlotQuestion } from './metrics/busiest.ts'
export { rankTraffic, type Traffic } from './metrics/rank-traffic.ts'
export { seedPastRouters, seedRouters, type PastRouter, type SeedOptions } from './seed.ts'
