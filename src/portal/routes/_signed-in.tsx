import { createFileRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ActingNotice } from '../../accounts/portal/acting/ActingNotice.tsx'
import { StaffBar } from '../../observability/portal/StaffBar.tsx'
import { requireUser } from '../guards.ts'
import { useUser, worksAsStaff } from '../session.ts'
import { SignedInFrame } from '../shell/SignedInFrame.tsx'

const Palette = lazy(() => import('./-palette.tsx'))
const OperatorNotice = lazy(() => import('../shell/OperatorNotice.tsx'))
const PlaceCounts = lazy(() => import('../../admin/portal/queues/PlaceCounts.tsx'))

export const Route = createFileRoute('/_signed-in')({ beforeLoad: requireUser, component: SignedIn })

function SignedIn() {
  const staff = worksAsStaff(useUser())
  return (
    <SignedInFrame
      palette={Palette}
      bar={<StaffBar />}
      notice={
        <>
          <ActingNotice />
          <Suspense>
            <OperatorNotice />
            {staff && <PlaceCounts />}
          </Suspense>
        </>
      }
    >
      <Outlet />
    </SignedInFrame>
  )
}
