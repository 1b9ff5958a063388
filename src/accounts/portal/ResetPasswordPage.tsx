import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const ResetPasswordPage = () => <PageHeader title="x" />
