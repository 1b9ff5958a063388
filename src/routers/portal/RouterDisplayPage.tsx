import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const RouterDisplayPage = () => <PageHeader title="Control" />
