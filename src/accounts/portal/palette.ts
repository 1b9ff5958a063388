import type { PaletteItem } from '../../ui/runtime/palette.ts'
import { SETTINGS_TABS } from './settings/tabs.ts'

/** All settings tabs, with the keywords that users search for. */
export const settingsItems: readonly PaletteItem[] = SETTINGS_TABS.map(({ id, label, keywords }) => ({
  id: `settings-${id}`,
  label: `Settings: ${label}`,
  group: 'Settings',
  icon: 'settings',
  keywords,
  href: `/settings?tab=${id}`,
}))
