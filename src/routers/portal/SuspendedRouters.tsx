import { Callout } from '../../ui/components/Callout.tsx'
import { BillingLink } from './BillingLink.tsx'

/** Above the list: why nothing runs, and where that is mended. */
const SuspendedRouters = () => (
  <div className="mb-4">
    <Callout tone="bad" title="Your routers are suspended" action={<BillingLink />}>
      They are off and keep their disks and addresses. Pay the open invoice to restart them automatically.
    </Callout>
  </div>
)
export default SuspendedRouters
