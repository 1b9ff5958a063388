import { useEffect } from 'react'
import { isTyping } from '../../ui/runtime/shortcuts.ts'
import { barShown } from './bar-shown.ts'

/** Handles keys only when no text field, dialog or browser shortcut uses them. */
function useKeys(onKey: (key: string, code: string) => boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const modal = document.querySelector('dialog[open]') !== null
      if (modal || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (onKey(event.key, event.code)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [onKey])
}

/** Backtick shows and hides the bar. It works at once, before the bar's own code has loaded. */
export const useBarToggle = (): void => useKeys(toggleBar)

function toggleBar(key: string, code: string): boolean {
  // Match the physical key too: on many layouts it is a dead key, which produces no character yet.
  if (key !== '`' && code !== 'Backquote') return false
  barShown.set(!barShown.current())
  return true
}

interface Panel {
  readonly setOpen: (open: boolean) => void
  readonly setFull: (change: (full: boolean) => boolean) => void
}

/** In the panel Escape closes it and `f` toggles full height. Null while the panel is closed. */
export function usePanelKeys(panel: Panel | null): void {
  useKeys((key) => {
    if (!panel || !barShown.current()) return false
    if (key === 'Escape') panel.setOpen(false)
    else if (key === 'f') panel.setFull((full) => !full)
    else return false
    return true
  })
}
