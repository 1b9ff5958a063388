import { createFileRoute } from '@tanstack/react-router'
import { settingsSearch } from '../../../accounts/portal/settings/tabs.ts'
import { SettingsPage } from '../../../accounts/portal/SettingsPage.tsx'
import { titled } from '../../title.ts'

export const Route = createFileRoute('/_signed-in/settings')({
  validateSearch: settingsSearch,
  head: titled('Settings'),
  component: SettingsPage,
})
