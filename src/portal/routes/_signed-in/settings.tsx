import { createFileRoute } from '@tanstack/react-router'
import { SettingsPage } from '../../../accounts/portal/SettingsPage.tsx'
import { titled } from '../../title.ts'

export const Route = createFileRoute('/_signed-in/settings')({
  head: titled('Settings'),
  component: SettingsPage,
})
