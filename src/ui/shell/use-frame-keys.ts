import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusFilter, isPaletteKey, isTyping } from '../runtime/shortcuts.ts'
import type { CurrentUser } from '../runtime/session.ts'
import { navigationOf } from './navigation.ts'
import type { Overlay } from './frame-props.ts'

/** How long `g` waits for its second key. */
const CHORD_MS = 1_200

export function useFrameKeys(open: (overlay: Overlay) => void, user: CurrentUser): void {
  const router = useRouter()
  useEffect(() => {
    const { own, staff } = navigationOf(user)
    const items = [...own, ...staff]
    let chordUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        open('palette')
        return
      }
      const modal = document.querySelector('dialog[open]') !== null
      if (modal || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const item = event.timeStamp < chordUntil ? items.find(({ key }) => key === event.key) : undefined
      chordUntil = event.key === 'g' ? event.timeStamp + CHORD_MS : 0
      if (item) router.history.push(item.to)
      else if (event.key === '?') open('keys')
      else if (event.key !== '/' || !focusFilter()) return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open, user, router])
}
