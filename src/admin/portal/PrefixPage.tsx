import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const PrefixPage = () => <PageHeader title="Prefix" />
