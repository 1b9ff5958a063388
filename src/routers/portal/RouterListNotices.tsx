import MaintenanceNotices from '../../transit/portal/maintenance/MaintenanceNotices.tsx'
import type { OwnRouter } from '../contract.ts'
import LostSessions from './LostSessions.tsx'
import SuspendedRouters from './SuspendedRouters.tsx'

/** Notices above the list: what keeps routers from working, or soon will. */
const RouterListNotices = ({ routers }: { routers: readonly OwnRouter[] }) => (
  <>
    {routers.some(({ state }) => state === 'SUSPENDED') && <SuspendedRouters />}
    {routers.length > 0 && <MaintenanceNotices of="all" />}
    {routers.map(
      ({ id, name, sessions }) =>
        sessions.some(({ downSince, stateKnown }) => downSince || !stateKnown) && (
          <div key={id} className="mb-4">
            <LostSessions sessions={sessions} router={name} />
          </div>
        ),
    )}
  </>
)
export default RouterListNotices
