import { useEffect, useState } from 'react'
import type { CurrentUser } from './session.ts'

/** In the words of the server, which refuses it too. */
const READ_ONLY_TEXT = 'Read-only. Choose “Allow changes” first.'

/** Why staff who act for a customer change nothing now; null for everybody else, and while they are allowed to. */
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
