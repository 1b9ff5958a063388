import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const PrefixListPage = () => <PageHeader title="Prefixes" />
