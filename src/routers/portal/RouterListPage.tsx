import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const RouterListPage = () => <PageHeader title="Routers" />
