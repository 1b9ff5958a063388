import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { AccountNotices } from '../accounts/portal/AccountNotices.tsx'
import { AwaitingVerificationPage } from '../accounts/portal/AwaitingVerificationPage.tsx'
import { StaffBar } from '../observability/portal/StaffBar.tsx'
import { setKnownUser } from '../ui/runtime/guards.ts'
import { SignedInFrame } from '../ui/shell/SignedInFrame.tsx'
import { titled } from '../ui/runtime/title.ts'
import { peeringDbSearch } from './-token-search.ts'

const Palette = lazy(() => import('./-palette.tsx'))

export const Route = createFileRoute('/awaiting-verification')({
  validateSearch: peeringDbSearch,
  beforeLoad: setKnownUser,
  head: titled('Verify your ASN'),
  component: AwaitingVerification,
})

function AwaitingVerification() {
  return (
    <SignedInFrame palette={Palette} bar={<StaffBar />} notice={<AccountNotices />}>
      <AwaitingVerificationPage />
    </SignedInFrame>
  )
}
