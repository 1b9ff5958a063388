import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const UserListPage = () => <PageHeader title="Users" />
