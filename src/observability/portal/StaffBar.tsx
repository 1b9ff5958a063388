import { lazy, Suspense } from 'react'
import { useUser, worksAsStaff } from '../../ui/runtime/session.ts'
import './named-requests.ts'
import { STAFF_TOOLS_KEY } from './staff-tools-key.ts'
import { useBarToggle } from './use-bar-keys.ts'

const DeveloperBar = lazy(() => import('./DeveloperBar.tsx'))

/** The developer bar for those who may have it; customers never fetch a byte of it. */
export function StaffBar() {
  const staff = worksAsStaff(useUser())
  if (!staff && localStorage.getItem(STAFF_TOOLS_KEY) !== 'on') return null
  return (
    <>
      {staff && <BarToggle />}
      <Suspense>
        <DeveloperBar staff={staff} />
      </Suspense>
    </>
  )
}

function BarToggle() {
  useBarToggle()
  return null
}
