import type { IconName } from './Icon.tsx'

export interface MenuEntry {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** Why it is disabled, shown under its label. It can still be focused and read. */
  readonly disabledReason?: string | null
  /** Entries change data by default: in read-only mode they are disabled. */
  readonly onSelect: () => void
  /** For a choice about what is shown: on or off. The menu stays open, and read-only mode does not disable it. */
  readonly checked?: boolean
  /** `false`: it changes no data, so read-only mode does not disable it. */
  readonly changes?: false
  /** Begins a new group. */
  readonly apart?: boolean
}

export interface MenuProps {
  /** The accessible name of the button: `Actions for edge-1`. */
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Shown beside or instead of the three dots. */
  readonly text?: string
}
