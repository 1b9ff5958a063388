import { lazy, Suspense } from 'react'
import { useUser } from '../../ui/runtime/session.ts'

const AccountBars = lazy(() => import('./AccountBars.tsx'))

/** Shown above every page during an impersonation or a second factor reset. Other users never load this code. */
export function AccountNotices() {
  const user = useUser()
  return <Suspense>{user && (user.impersonation ?? user.secondFactorReset) && <AccountBars />}</Suspense>
}
