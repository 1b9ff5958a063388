import { createFileRoute } from '@tanstack/react-router'
import { SendAsnVerificationPage } from '../../../../../admin/portal/SendAsnVerificationPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/asn_verifications/new')({
  params: integerId,
  head: titled('Send ASN Verification'),
  component: SendAsnVerificationPage,
})
