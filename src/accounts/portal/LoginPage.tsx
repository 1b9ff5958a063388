import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const LoginPage = () => <PageHeader title="Sign in" />
