import { createFileRoute } from '@tanstack/react-router'
import { loadNewAsnVerification } from '../../../../accounts/portal/staff/loaders.ts'
import { SendAsnVerificationPage } from '../../../../accounts/portal/staff/SendAsnVerificationPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/asn_verifications/new')({
  params: integerId,
  loader: ({ params }) => loadNewAsnVerification(params.id),
  head: titled('Send ASN Verification'),
  component: SendAsnVerificationPage,
})
