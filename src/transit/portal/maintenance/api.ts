import { createClient } from '../../../ui/runtime/client.ts'
import type { MaintenanceWindow, TransitApi } from '../../contract.ts'

const maintenance = createClient<Pick<TransitApi, 'GET /api/maintenance_windows'>>({
  topics: { 'GET /api/maintenance_windows': ['maintenance', 'router', 'connection'] },
})

/** Refetched while there is a window, because it begins and ends without a change event. */
export const ownMaintenance = () => ({
  ...maintenance.query['GET /api/maintenance_windows'](),
  refetchInterval: ({ state }: { state: { data?: readonly MaintenanceWindow[] | undefined } }) =>
    (state.data?.length ?? 0) > 0 && 60_000,
})

/** The maintenance that affects the BGP sessions now. */
export const sessionMaintenance = (windows: readonly MaintenanceWindow[] | undefined): MaintenanceWindow | undefined =>
  windows?.find(({ state, routers }) => state === 'UNDER_WAY' && routers.some(({ sessions }) => sessions))
