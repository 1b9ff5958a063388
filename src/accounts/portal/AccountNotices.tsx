import { lazy } from 'react'
import { useUser } from '../../ui/runtime/session.ts'

const AccountBars = lazy(() => import('./AccountBars.tsx'))

/**
 * Shown above every page during an impersonation or a second factor reset. Other users never load this code. The page
 * waits for it: staff must never see a customer's page without its bar, and nothing may move below the pointer later.
 */
export function AccountNotices() {
  const user = useUser()
  return (user?.impersonation ?? user?.secondFactorReset) && <AccountBars />
}
