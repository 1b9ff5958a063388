import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ReadOnlyReasonContext, useReadOnlyReason } from '../../ui/components/change-denial.ts'
import { requireVerifiedAsn } from '../../ui/runtime/guards.ts'
import { useUser } from '../../ui/runtime/session.ts'

export const Route = createFileRoute('/_signed-in/_verified')({ beforeLoad: requireVerifiedAsn, component: OwnNetwork })

/** The server's own text: it rejects every change to the routers and transit of a suspended account. */
const SUSPENDED_TEXT = 'Your account was suspended by our staff. To have it lifted, contact support.'

function OwnNetwork() {
  const denied = useReadOnlyReason()
  return (
    <ReadOnlyReasonContext value={useUser()?.suspension ? SUSPENDED_TEXT : denied}>
      <Outlet />
    </ReadOnlyReasonContext>
  )
}
