import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const CreateRouterPage = () => <PageHeader title="Create a router" />
