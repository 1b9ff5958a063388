import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const RouterPage = () => <PageHeader title="Manage Router" />
