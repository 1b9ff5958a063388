import { lazy, Suspense, useState } from 'react'
import { notify } from '../../../portal/notifications.ts'
import { refreshUser, useUser } from '../../../portal/session.ts'
import { PartBoundary } from '../../../portal/screens/PartBoundary.tsx'
import { Button } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { Panel, Section } from '../../../portal/ui/PageHeader.tsx'
import { Skeleton } from '../../../portal/ui/Skeleton.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { accounts } from '../api.ts'
import { useProve } from '../proof/prove.ts'
import { RecoveryCodesLeft } from './RecoveryCodesLeft.tsx'

const TotpSetUp = lazy(() => import('./TotpSetUp.tsx'))
const RecoveryCodes = lazy(() => import('./RecoveryCodes.tsx'))

type Act = 'set up' | 'switch off' | { readonly codes: readonly string[] }

export function SecondFactor() {
  const user = useUser()
  const prove = useProve()
  const [act, setAct] = useState<Act | null>(null)
  const on = user?.hasTotp ?? false
  const begin = async (next: 'set up' | 'switch off') => {
    if (await prove()) setAct(next)
  }
  const renew = async () => {
    if (!(await prove())) return
    const { recoveryCodes } = await accounts.call['POST /api/user/recovery_codes']({ body: {} })
    setAct({ codes: recoveryCodes })
  }
  return (
    <Section
      title="Authenticator app"
      summary="Adds a six-digit code from an app on your phone to your password. Passkeys need no code."
    >
      <Panel className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <StatusBadge tone={on ? 'ok' : 'off'}>{on ? 'On' : 'Off'}</StatusBadge>
          {on ? (
            <PartBoundary loading={<Skeleton className="h-4 w-44" />}>
              <RecoveryCodesLeft />
            </PartBoundary>
          ) : (
            <span className="text-dim">Sign-in requires only your password.</span>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {on && (
            <Button changes onClick={() => void renew()}>
              New recovery codes
            </Button>
          )}
          <Button changes onClick={() => void begin(on ? 'switch off' : 'set up')}>
            {on ? 'Switch off' : 'Set up'}
          </Button>
        </div>
      </Panel>
      <Suspense>
        {act === 'set up' && (
          <TotpSetUp
            onClose={() => setAct(null)}
            onDone={(codes) => {
              setAct({ codes })
              void refreshUser()
            }}
          />
        )}
        {act !== null && typeof act === 'object' && <RecoveryCodes codes={act.codes} onClose={() => setAct(null)} />}
      </Suspense>
      <Confirm
        open={act === 'switch off'}
        onClose={() => setAct(null)}
        title="Turn off the authenticator app?"
        consequences={['Sign-in will require only your password.', 'Your recovery codes stop working.']}
        action="Switch off"
        danger
        onConfirm={async () => {
          await accounts.call['DELETE /api/user/totp']()
          await refreshUser()
          notify({ type: 'success', title: 'Authenticator app turned off' })
        }}
      />
    </Section>
  )
}
