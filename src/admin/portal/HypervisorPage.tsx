import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const HypervisorPage = () => <PageHeader title="Hypervisor" />
