import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ActingNotice } from '../../accounts/portal/acting/ActingNotice.tsx'
import { StaffBar } from '../../observability/portal/StaffBar.tsx'
import { requireUser } from '../guards.ts'
import { SignedInFrame } from '../shell/SignedInFrame.tsx'
import { paletteSearch, paletteSources } from './-palette-sources.ts'

export const Route = createFileRoute('/_signed-in')({ beforeLoad: requireUser, component: SignedIn })

function SignedIn() {
  return (
    <SignedInFrame
      paletteSources={paletteSources}
      paletteSearch={paletteSearch}
      bar={<StaffBar />}
      notice={<ActingNotice />}
    >
      <Outlet />
    </SignedInFrame>
  )
}
