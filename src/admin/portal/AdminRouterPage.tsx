import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const AdminRouterPage = () => <PageHeader title="Router" />
