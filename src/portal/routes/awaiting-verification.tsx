import { createFileRoute } from '@tanstack/react-router'
import { ActingNotice } from '../../accounts/portal/acting/ActingNotice.tsx'
import { AwaitingVerificationPage } from '../../accounts/portal/AwaitingVerificationPage.tsx'
import { knowUser } from '../guards.ts'
import { SignedInFrame } from '../shell/SignedInFrame.tsx'
import { titled } from '../title.ts'
import { paletteSources } from './-palette-sources.ts'
import { peeringDbSearch } from './-token-search.ts'

export const Route = createFileRoute('/awaiting-verification')({
  validateSearch: peeringDbSearch,
  beforeLoad: knowUser,
  head: titled('Verify your ASN'),
  component: AwaitingVerification,
})

function AwaitingVerification() {
  return (
    <SignedInFrame paletteSources={paletteSources} notice={<ActingNotice />}>
      <AwaitingVerificationPage />
    </SignedInFrame>
  )
}
