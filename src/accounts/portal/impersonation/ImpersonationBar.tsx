import { useEffect, useState } from 'react'
import { reloadPortal } from '../../../ui/runtime/impersonation.ts'
import { refreshUser, type CurrentUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Icon } from '../../../ui/components/Icon.tsx'
import type { ImpersonationSession } from '../../contract.ts'
import { accounts } from '../api.ts'
import { IdentityGate } from '../proof/IdentityGate.tsx'
import { ElevateDialog } from './ElevateDialog.tsx'
import { minutesLeft } from './minutes-left.ts'

const TICK_MS = 5_000

/** Shows on every page who impersonates whom, why, and until when, with a frame around the page. */
export function ImpersonationBar({ user, impersonation }: { user: CurrentUser; impersonation: ImpersonationSession }) {
  const now = useNow(impersonation.expiresAt)
  const [elevating, setElevating] = useState(false)
  const [busy, setBusy] = useState(false)
  const elevatedFor = impersonation.elevatedUntil ? minutesLeft(impersonation.elevatedUntil, now) : 0
  const elevated = elevatedFor > 0
  const end = async () => {
    setBusy(true)
    try {
      await accounts.call['DELETE /api/impersonation']()
      reloadPortal(`/admin/users/${user.id}`)
    } catch {
      // The API client has shown the error. If the impersonation has ended, the user was already redirected.
      setBusy(false)
    }
  }
  const tone = elevated ? 'border-bad bg-bad-soft' : 'border-warn bg-warn-soft'
  return (
    <>
      <div
        aria-hidden
        className={`pointer-events-none fixed inset-0 z-40 border-3 ${elevated ? 'border-bad' : 'border-warn'}`}
      />
      <section
        aria-label="Viewing as a customer"
        className={`sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b-2 px-4 py-2 text-sm max-md:top-12 md:px-8 ${tone}`}
      >
        <Icon name={elevated ? 'edit' : 'users'} className={`max-md:hidden ${elevated ? 'text-bad' : 'text-warn'}`} />
        <div className="min-w-0 max-md:w-full md:flex-1">
          <p>
            <strong className="font-semibold">
              {impersonation.staff.name} as {user.firstName} {user.lastName}
            </strong>{' '}
            <span className="wrap-anywhere">({user.email})</span>
          </p>
          <p className="text-dim wrap-anywhere max-md:line-clamp-1">
            {elevated ? impersonation.elevatedReason : impersonation.reason}
          </p>
        </div>
        <p className="num font-medium whitespace-nowrap max-md:flex-1">
          {elevated
            ? `Changes allowed · ${words(elevatedFor)} left`
            : `Read-only · ${words(minutesLeft(impersonation.expiresAt, now))} left`}
        </p>
        <div className="flex gap-2">
          {!elevated && (
            <Button size="sm" onClick={() => setElevating(true)}>
              Allow changes
            </Button>
          )}
          <Button size="sm" variant="primary" busy={busy} changes={false} onClick={() => void end()}>
            End
          </Button>
        </div>
      </section>
      {elevating && (
        <IdentityGate>
          <ElevateDialog customer={`${user.firstName} ${user.lastName}`} onClose={() => setElevating(false)} />
        </IdentityGate>
      )}
    </>
  )
}

const words = (minutes: number): string => (minutes === 1 ? '1 min' : `${minutes} min`)

/** Returns the time to show. When it is up, a request to the server redirects the user. */
function useNow(expiresAt: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() > Date.parse(expiresAt)) refreshUser().catch(() => undefined)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [expiresAt])
  return now
}
