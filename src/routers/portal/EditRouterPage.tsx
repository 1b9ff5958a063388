import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const EditRouterPage = () => <PageHeader title="Edit" />
