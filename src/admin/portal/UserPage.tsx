import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const UserPage = () => <PageHeader title="User" />
