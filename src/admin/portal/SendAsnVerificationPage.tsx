import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const SendAsnVerificationPage = () => <PageHeader title="Send ASN Verification" />
