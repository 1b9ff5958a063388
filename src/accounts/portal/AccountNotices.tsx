import { lazy, Suspense } from 'react'
import { useUser } from '../../ui/runtime/session.ts'

const AccountBars = lazy(() => import('./AccountBars.tsx'))

/** Above every screen while staff act for a customer, or reset a second factor; others never fetch a byte of it. */
export function AccountNotices() {
  const user = useUser()
  return <Suspense>{user && (user.impersonation ?? user.secondFactorReset) && <AccountBars />}</Suspense>
}
