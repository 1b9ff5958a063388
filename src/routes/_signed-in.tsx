import { createFileRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AccountNotices } from '../accounts/portal/AccountNotices.tsx'
import { StaffBar } from '../observability/portal/StaffBar.tsx'
import { requireUser } from '../ui/runtime/guards.ts'
import { PendingScreen } from '../ui/screens/PendingScreen.tsx'
import { useUser, worksAsStaff } from '../ui/runtime/session.ts'
import { loadNotice } from '../ui/shell/operator-notice.ts'
import { OperatorNotice } from '../ui/shell/OperatorNotice.tsx'
import { SignedInFrame } from '../ui/shell/SignedInFrame.tsx'

const Palette = lazy(() => import('./-palette.tsx'))
const NavBadges = lazy(() => import('../admin/portal/queues/NavBadges.tsx'))

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
          <AccountNotices />
          <OperatorNotice />
          <Suspense>{staff && <NavBadges />}</Suspense>
        </>
      }
    >
      {/* The user is signed out: requests repeated by a page that is being left would only fail. */}
      {user ? <Outlet /> : <PendingScreen />}
    </SignedInFrame>
  )
}
