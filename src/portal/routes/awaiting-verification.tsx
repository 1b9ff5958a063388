import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { ActingNotice } from '../../accounts/portal/acting/ActingNotice.tsx'
import { AwaitingVerificationPage } from '../../accounts/portal/AwaitingVerificationPage.tsx'
import { StaffBar } from '../../observability/portal/StaffBar.tsx'
import { knowUser } from '../guards.ts'
import { SignedInFrame } from '../shell/SignedInFrame.tsx'
import { titled } from '../title.ts'
import { peeringDbSearch } from './-token-search.ts'

const Palette = lazy(() => import('./-palette.tsx'))

export const Route = createFileRoute('/awaiting-verification')({
  validateSearch: peeringDbSearch,
  beforeLoad: knowUser,
  head: titled('Verify your ASN'),
  component: AwaitingVerification,
})

function AwaitingVerification() {
  return (
    <SignedInFrame palette={Palette} bar={<StaffBar />} notice={<ActingNotice />}>
      <AwaitingVerificationPage />
    </SignedInFrame>
  )
}
