import { useEffect } from 'react'
import { isTyping } from '../../ui/runtime/shortcuts.ts'
import { barShown } from './bar-shown.ts'

/** Keys that belong to nobody who types, to no dialog, and to no shortcut of the browser. */
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

/** Backtick shows and hides the bar. Heard from the first moment, before the bar's own code is there. */
export const useBarToggle = (): void => useKeys(toggleBar)

function toggleBar(key: string, code: string): boolean {
  // By its place as well: on many layouts it is a dead key, which types nothing yet.
  if (key !== '`' && code !== 'Backquote') return false
  barShown.set(!barShown.current())
  return true
}

interface Panel {
  readonly setOpen: (open: boolean) => void
  readonly setFull: (change: (full: boolean) => boolean) => void
}

/** In the panel Escape closes and `f` toggles the full height. Null while it is not open. */
export function usePanelKeys(panel: Panel | null): void {
  useKeys((key) => {
    if (!panel || !barShown.current()) return false
    if (key === 'Escape') panel.setOpen(false)
    else if (key === 'f') panel.setFull((full) => !full)
    else return false
    return true
  })
}
