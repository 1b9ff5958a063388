import { useEffect, useState } from 'react'
import type { CurrentUser } from './session.ts'

/** The server's own text: it rejects changes too. */
const READ_ONLY_TEXT = 'Read-only. Choose “Allow changes” first.'

/** Returns why impersonating staff cannot change anything now; null for everyone else, and while elevated. */
export function useImpersonationReadOnlyReason(impersonation: CurrentUser['impersonation'] | undefined): string | null {
  const elevatedUntil = impersonation?.elevatedUntil ? Date.parse(impersonation.elevatedUntil) : 0
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (elevatedUntil === 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, elevatedUntil - Date.now()))
    return () => clearTimeout(timer)
  }, [elevatedUntil])
  return impersonation && elevatedUntil <= now ? READ_ONLY_TEXT : null
}
