import { useEffect, useMemo, useState } from 'react'
import { searchPalette, type PaletteItem, type PaletteSearch } from '../runtime/palette.ts'
import { reportError } from '../runtime/report-error.ts'

/** Long enough to finish a word, too short to be noticed. */
const PAUSE_MS = 150

/**
 * Returns what the server finds for the typed text, requested once the typing pauses. Until then the earlier results
 * stay if they match: Enter must never open something that was not searched for.
 */
export function usePaletteSearch(
  search: PaletteSearch | undefined,
  typed: string,
  staff: boolean,
): readonly PaletteItem[] {
  const [found, setFound] = useState<{ readonly text: string; readonly items: readonly PaletteItem[] }>(NOTHING)
  const text = typed.trim()
  useEffect(() => {
    if (!search || text === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      search(text, { staff, signal: stop.signal })
        .then((items) => {
          if (!stop.signal.aborted) setFound({ text, items })
        })
        .catch((error: unknown) => {
          if (!stop.signal.aborted) reportError(error, { operation: 'palette' })
        })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [search, text, staff])
  return useMemo(() => {
    if (text === '') return []
    return found.text === text ? found.items : searchPalette(found.items, text)
  }, [found, text])
}

const NOTHING = { text: '', items: [] }
