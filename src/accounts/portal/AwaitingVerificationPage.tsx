import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const AwaitingVerificationPage = () => <PageHeader title="x" />
