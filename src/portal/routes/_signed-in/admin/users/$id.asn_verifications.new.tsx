import { createFileRoute } from '@tanstack/react-router'
import { loadNewAsnVerification } from '../../../../../admin/portal/loaders.ts'
import { SendAsnVerificationPage } from '../../../../../admin/portal/SendAsnVerificationPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/asn_verifications/new')({
  params: integerId,
  loader: ({ params }) => loadNewAsnVerification(params.id),
  head: titled('Send ASN Verification'),
  component: SendAsnVerificationPage,
})
