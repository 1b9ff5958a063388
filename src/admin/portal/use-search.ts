import { useDeferredValue, useEffect, useState } from 'react'

/** Long enough to let somebody finish a word, too short to be noticed. */
const PAUSE_MS = 200

/** What is typed into a filter that the server applies: asked once the typing pauses, the old rows standing meanwhile. */
export function useSearch(): { readonly search: string; readonly setSearch: (text: string) => void } {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { search: useDeferredValue(asked), setSearch: setTyped }
}
