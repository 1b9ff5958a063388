import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const NewPasswordPage = () => <PageHeader title="x" />
