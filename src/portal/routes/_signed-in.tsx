import { createFileRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ActingNotice } from '../../accounts/portal/acting/ActingNotice.tsx'
import { StaffBar } from '../../observability/portal/StaffBar.tsx'
import { requireUser } from '../guards.ts'
import { PendingScreen } from '../screens/PendingScreen.tsx'
import { useUser, worksAsStaff } from '../session.ts'
import { loadNotice } from '../shell/operator-notice.ts'
import { OperatorNotice } from '../shell/OperatorNotice.tsx'
import { SignedInFrame } from '../shell/SignedInFrame.tsx'

const Palette = lazy(() => import('./-palette.tsx'))
const PlaceCounts = lazy(() => import('../../admin/portal/queues/PlaceCounts.tsx'))

export const Route = createFileRoute('/_signed-in')({
  beforeLoad: requireUser,
  loader: loadNotice,
  component: SignedIn,
})

function SignedIn() {
  const user = useUser()
  const staff = worksAsStaff(user)
  return (
    <SignedInFrame
      palette={Palette}
      bar={<StaffBar />}
      notice={
        <>
          <ActingNotice />
          <OperatorNotice />
          <Suspense>{staff && <PlaceCounts />}</Suspense>
        </>
      }
    >
      {/* Nobody any more: what a screen asked for once again, on its way out, would only be refused. */}
      {user ? <Outlet /> : <PendingScreen />}
    </SignedInFrame>
  )
}
