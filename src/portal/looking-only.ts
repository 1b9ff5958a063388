import { useEffect, useState } from 'react'
import type { CurrentUser } from './session.ts'

/** In the words of the server, which refuses it too. */
const LOOKING_ONLY = 'Read-only. Choose “Allow changes” first.'

/** Why staff who act for a customer change nothing now; null for everybody else, and while they are allowed to. */
export function useLookingOnly(acting: CurrentUser['acting'] | undefined): string | null {
  const raisedUntil = acting?.raisedUntil ? Date.parse(acting.raisedUntil) : 0
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (raisedUntil === 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, raisedUntil - Date.now()))
    return () => clearTimeout(timer)
  }, [raisedUntil])
  return acting && raisedUntil <= now ? LOOKING_ONLY : null
}
