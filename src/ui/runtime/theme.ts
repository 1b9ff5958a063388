/**
 * Light, dark, or the system's preference. Stored in this browser; `public/theme.js` applies it before the first paint.
 */
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
const watchers = new Set<() => void>()

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

let current: Theme = storedTheme()

export function setTheme(theme: Theme): void {
  current = theme
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
  for (const notifyWatcher of watchers) notifyWatcher()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => current,
  )
