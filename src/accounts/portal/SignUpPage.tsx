import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const SignUpPage = () => <PageHeader title="x" />
