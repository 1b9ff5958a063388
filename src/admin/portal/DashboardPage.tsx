import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const DashboardPage = () => <PageHeader title="Dashboard" />
