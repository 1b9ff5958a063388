import { setTheme, useTheme, type Theme } from '../runtime/theme.ts'
import type { IconName } from '../components/Icon.tsx'
import { IconButton } from '../components/Button.tsx'

const NEXT: Record<Theme, { next: Theme; icon: IconName; now: string }> = {
  system: { next: 'light', icon: 'screen', now: 'Theme follows the system' },
  light: { next: 'dark', icon: 'sun', now: 'Theme is light' },
  dark: { next: 'system', icon: 'moon', now: 'Theme is dark' },
}

/** Each press selects the next theme: system, light, dark. */
export function ThemeChoice() {
  const theme = useTheme()
  const { next, icon, now } = NEXT[theme]
  return <IconButton icon={icon} label={`${now}. Switch to ${next}`} onClick={() => setTheme(next)} />
}
