import { createFileRoute } from '@tanstack/react-router'
import { loadSettings } from '../../../accounts/portal/settings/load-settings.ts'
import type { SettingsTab } from '../../../accounts/portal/settings/tabs.ts'
import { SettingsPage } from '../../../accounts/portal/SettingsPage.tsx'
import { titled } from '../../title.ts'
import { readByScreen } from '../-read-by-screen.ts'

export const Route = createFileRoute('/_signed-in/settings')({
  validateSearch: readByScreen<{ tab?: SettingsTab }>(),
  head: titled('Settings'),
  loaderDeps: ({ search }) => ({ tab: search.tab }),
  loader: loadSettings,
  component: SettingsPage,
})
