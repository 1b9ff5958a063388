import { createFileRoute } from '@tanstack/react-router'
import { loadSettings } from '../../accounts/portal/settings/load-settings.ts'
import type { SettingsTab } from '../../accounts/portal/settings/tabs.ts'
import { SettingsPage } from '../../accounts/portal/SettingsPage.tsx'
import { titled } from '../../ui/runtime/title.ts'
import { deferSearchParsing } from '../-defer-search-parsing.ts'

export const Route = createFileRoute('/_signed-in/settings')({
  validateSearch: deferSearchParsing<{ tab?: SettingsTab }>(),
  head: titled('Settings'),
  loaderDeps: ({ search }) => ({ tab: search.tab }),
  loader: loadSettings,
  component: SettingsPage,
})
