import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const VerifyEmailPage = () => <PageHeader title="x" />
