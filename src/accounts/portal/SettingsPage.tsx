import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const SettingsPage = () => <PageHeader title="Settings" />
