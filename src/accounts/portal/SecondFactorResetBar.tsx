import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { supportEmail } from '../../ui/runtime/page-settings.ts'
import { refreshUser, useUser, type CurrentUser } from '../../ui/runtime/session.ts'
import { accounts } from './api.ts'

/** Shown above every page to a customer whose second factor staff are resetting, with a button to stop it. */
export function SecondFactorResetBar({ reset }: { reset: NonNullable<CurrentUser['secondFactorReset']> }) {
  const [busy, setBusy] = useState(false)
  const viewed = useUser()?.impersonation != null
  const stop = async () => {
    setBusy(true)
    try {
      await accounts.call['POST /api/user/second_factor_reset/stop']({ body: {} })
      notify({ type: 'success', title: 'Reset stopped', body: 'Your second factor stays as it is.' })
    } catch (error) {
      // The API client has already shown an HTTP error; anything else is a bug.
      if (!(error instanceof HttpFailure)) throw error
    }
    await refreshUser().catch(() => null)
    setBusy(false)
  }
  return (
    <section
      aria-label="Second factor reset"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-bad/40 bg-bad-soft px-4 py-2 text-sm md:px-8"
    >
      <Icon name="warning" className="text-bad max-md:hidden" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold">
          {reset.dueAt ? (
            <>
              Your second factor will be reset <Time at={reset.dueAt} />
            </>
          ) : (
            'Our staff requested a reset of your second factor'
          )}
        </p>
        <p className="wrap-anywhere">
          {reset.dueAt
            ? 'Your authenticator app, passkeys and recovery codes are removed and you are signed out.'
            : 'A second member of staff must approve it first.'}{' '}
          If you didn’t ask for this, stop it and contact{' '}
          <a href={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </a>
          .
        </p>
      </div>
      <Button
        size="sm"
        variant="danger"
        busy={busy}
        disabledReason={viewed ? 'Only the customer can stop it here. Use Cancel on the page of the user.' : null}
        onClick={() => void stop()}
      >
        Stop
      </Button>
    </section>
  )
}
