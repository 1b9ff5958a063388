import { SuspendedByStaff } from '../../accounts/portal/SuspendedByStaff.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { useUser } from '../../ui/runtime/session.ts'
import { BillingLink } from './BillingLink.tsx'

const TITLE = 'Your routers are suspended'

/** Notice above the list: why no router runs, and what ends the suspension. */
function SuspendedRouters() {
  const suspension = useUser()?.suspension
  return (
    <div className="mb-4">
      {suspension ? (
        <SuspendedByStaff
          suspension={suspension}
          title={TITLE}
          consequence="They are off and keep their disks and addresses."
        />
      ) : (
        <Callout tone="bad" title={TITLE} action={<BillingLink />}>
          They are off and keep their disks and addresses. Pay the open invoice to restart them automatically.
        </Callout>
      )}
    </div>
  )
}
export default SuspendedRouters
