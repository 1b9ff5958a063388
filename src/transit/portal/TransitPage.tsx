import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const TransitPage = () => <PageHeader title="IP Transit" />
