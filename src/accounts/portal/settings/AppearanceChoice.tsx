import { setTheme, useTheme, type Theme } from '../../../ui/runtime/theme.ts'
import { Icon, type IconName } from '../../../ui/components/Icon.tsx'

const THEMES: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'system', label: 'System', icon: 'screen' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

export function AppearanceChoice() {
  const current = useTheme()
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Appearance</legend>
      {THEMES.map(({ theme, label, icon }) => (
        <label
          key={theme}
          className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm font-medium hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:h-11"
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === current}
            onChange={() => setTheme(theme)}
          />
          <Icon name={icon} size={15} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
