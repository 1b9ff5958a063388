import { useEffect } from 'react'
import { isTyping } from '../../portal/shortcuts.ts'
import { barShown } from './bar-shown.ts'

interface Panel {
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
  readonly setFull: (change: (full: boolean) => boolean) => void
}

/** Backtick shows and hides the bar; in its panel Escape closes and `f` toggles the full height. */
export function useBarKeys({ open, setOpen, setFull }: Panel): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const modal = document.querySelector('dialog[open]') !== null
      if (modal || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '`') barShown.set(!barShown.current())
      else if (open && barShown.current() && event.key === 'Escape') setOpen(false)
      else if (open && barShown.current() && event.key === 'f') setFull((full) => !full)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open, setOpen, setFull])
}
