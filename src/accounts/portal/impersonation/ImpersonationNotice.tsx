import { lazy, Suspense } from 'react'
import { useUser } from '../../../ui/runtime/session.ts'

const ImpersonationBar = lazy(() => import('./ImpersonationBar.tsx'))

/** Stands above every screen while staff act for a customer; others never fetch a byte of it. */
export function ImpersonationNotice() {
  const user = useUser()
  if (!user?.impersonation) return null
  return (
    <Suspense>
      <ImpersonationBar user={user} impersonation={user.impersonation} />
    </Suspense>
  )
}
