import { createFileRoute } from '@tanstack/react-router'
import { loadSettings } from '../../../accounts/portal/settings/load-settings.ts'
import { settingsSearch } from '../../../accounts/portal/settings/tabs.ts'
import { SettingsPage } from '../../../accounts/portal/SettingsPage.tsx'
import { titled } from '../../title.ts'

export const Route = createFileRoute('/_signed-in/settings')({
  validateSearch: settingsSearch,
  head: titled('Settings'),
  loaderDeps: ({ search }) => ({ tab: search.tab }),
  loader: loadSettings,
  component: SettingsPage,
})
