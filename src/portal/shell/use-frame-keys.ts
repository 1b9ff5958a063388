import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusFilter, isPaletteKey, isTyping } from '../shortcuts.ts'
import { PLACES, STAFF_HOME, STAFF_PLACES } from './navigation.ts'
import type { Overlay } from './Shell.tsx'

/** How long `g` waits for the key that says where to. */
const CHORD_MS = 1_200

export function useFrameKeys(open: (overlay: Overlay) => void, staff: boolean): void {
  const router = useRouter()
  useEffect(() => {
    const places = staff ? [...PLACES, STAFF_HOME, ...STAFF_PLACES] : PLACES
    let chordUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        open('palette')
        return
      }
      const modal = document.querySelector('dialog[open]') !== null
      if (modal || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const place = event.timeStamp < chordUntil ? places.find(({ key }) => key === event.key) : undefined
      chordUntil = event.key === 'g' ? event.timeStamp + CHORD_MS : 0
      if (place) router.history.push(place.to)
      else if (event.key === '?') open('keys')
      else if (event.key !== '/' || !focusFilter()) return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open, staff, router])
}
