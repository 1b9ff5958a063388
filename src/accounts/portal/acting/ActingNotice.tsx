import { lazy, Suspense } from 'react'
import { useUser } from '../../../portal/session.ts'

const ActingBar = lazy(() => import('./ActingBar.tsx'))

/** Stands above every screen while staff act for a customer; others never fetch a byte of it. */
export function ActingNotice() {
  const user = useUser()
  if (!user?.acting) return null
  return (
    <Suspense>
      <ActingBar user={user} acting={user.acting} />
    </Suspense>
  )
}
