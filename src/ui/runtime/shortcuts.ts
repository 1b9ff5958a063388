/** Keyboard shortcuts that work anywhere, unless the user is typing. */
export interface Shortcut {
  /** As displayed: `?`, `/`, `g r`. */
  readonly keys: string
  readonly does: string
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('[data-takes-keys]') !== null)

/** Macs write ⌘ where others have Ctrl. */
export const commandKey: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey

/** Focuses the filter of the first table on screen. False when there is none. */
export function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-table-filter]')
  filter?.focus()
  filter?.select()
  return filter !== null
}
