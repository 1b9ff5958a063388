import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const VerifyAsnPage = () => <PageHeader title="x" />
