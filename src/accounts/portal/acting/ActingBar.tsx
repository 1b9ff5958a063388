import { useEffect, useState } from 'react'
import { startAnew } from '../../../portal/acting.ts'
import { refreshUser, type CurrentUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Icon } from '../../../portal/ui/Icon.tsx'
import type { ActingSpell } from '../../contract.ts'
import { accounts } from '../api.ts'
import { ProofGate } from '../proof/ProofGate.tsx'
import { RaiseDialog } from './RaiseDialog.tsx'
import { minutesLeft } from './minutes-left.ts'

const TICK_MS = 5_000

/** Who sits here for whom, why, and until when: in sight on every screen, with a frame around the page. */
export default function ActingBar({ user, acting }: { user: CurrentUser; acting: ActingSpell }) {
  const now = useNow(acting.expiresAt)
  const [raising, setRaising] = useState(false)
  const [busy, setBusy] = useState(false)
  const raisedFor = acting.raisedUntil ? minutesLeft(acting.raisedUntil, now) : 0
  const raised = raisedFor > 0
  const end = async () => {
    setBusy(true)
    try {
      await accounts.call['DELETE /api/acting']()
      startAnew(`/admin/users/${user.id}`)
    } catch {
      // Said by the transport; what ended meanwhile has led away already.
      setBusy(false)
    }
  }
  const tone = raised ? 'border-bad bg-bad-soft' : 'border-warn bg-warn-soft'
  return (
    <>
      <div
        aria-hidden
        className={`pointer-events-none fixed inset-0 z-40 border-3 ${raised ? 'border-bad' : 'border-warn'}`}
      />
      <section
        aria-label="Viewing as a customer"
        className={`sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b-2 px-4 py-2 text-sm max-md:top-12 md:px-8 ${tone}`}
      >
        <Icon name={raised ? 'edit' : 'users'} className={`max-md:hidden ${raised ? 'text-bad' : 'text-warn'}`} />
        <div className="min-w-0 max-md:w-full md:flex-1">
          <p>
            <strong className="font-semibold">
              {acting.staff.name} as {user.firstName} {user.lastName}
            </strong>{' '}
            <span className="wrap-anywhere">({user.email})</span>
          </p>
          <p className="text-dim wrap-anywhere max-md:line-clamp-1">{raised ? acting.raisedReason : acting.reason}</p>
        </div>
        <p className="num font-medium whitespace-nowrap max-md:flex-1">
          {raised
            ? `Changes allowed · ${words(raisedFor)} left`
            : `Read-only · ${words(minutesLeft(acting.expiresAt, now))} left`}
        </p>
        <div className="flex gap-2">
          {!raised && (
            <Button size="sm" onClick={() => setRaising(true)}>
              Allow changes
            </Button>
          )}
          <Button size="sm" look="primary" busy={busy} changes={false} onClick={() => void end()}>
            End
          </Button>
        </div>
      </section>
      {raising && (
        <ProofGate>
          <RaiseDialog customer={`${user.firstName} ${user.lastName}`} onClose={() => setRaising(false)} />
        </ProofGate>
      )}
    </>
  )
}

const words = (minutes: number): string => (minutes === 1 ? '1 min' : `${minutes} min`)

/** The time as the bar shows it; once it is up the server is asked, and its answer leads away. */
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
