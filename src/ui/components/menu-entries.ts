import type { IconName } from './Icon.tsx'

export interface MenuEntry {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** Why it cannot be chosen, shown under its label. It can still be reached and read. */
  readonly disabledReason?: string | null
  /** What is in a menu changes something: where nothing may be changed, none can be chosen. */
  readonly onSelect: () => void
  /** Of a choice about what is shown: it is on or off, the menu stays open, and it can be chosen where nothing may be changed. */
  readonly checked?: boolean
  /** `false`: it changes nothing, and can be chosen where nothing may be changed. */
  readonly changes?: false
  /** Begins a new group. */
  readonly apart?: boolean
}

export interface MenuProps {
  /** The accessible name of the button: `Actions for edge-1`. */
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** What the button shows beside or instead of the three dots. */
  readonly text?: string
}
