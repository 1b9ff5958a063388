import { lazy, Suspense } from 'react'
import { useUser, worksAsStaff } from '../../ui/runtime/session.ts'
import { useBarToggle } from './use-bar-keys.ts'

const DeveloperBar = lazy(() => import('./DeveloperBar.tsx'))

/** The developer bar, for staff only; customers never fetch its code. */
export const StaffBar = () => (worksAsStaff(useUser()) ? <OwnBar /> : null)

function OwnBar() {
  useBarToggle()
  return (
    <Suspense>
      <DeveloperBar />
    </Suspense>
  )
}
