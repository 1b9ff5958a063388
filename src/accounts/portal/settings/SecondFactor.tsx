import { lazy, Suspense, useState } from 'react'
import { notify } from '../../../ui/runtime/notifications.ts'
import { refreshUser, useUser } from '../../../ui/runtime/session.ts'
import { SectionErrorBoundary } from '../../../ui/screens/SectionErrorBoundary.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Panel, Section } from '../../../ui/components/PageHeader.tsx'
import { Skeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { RecoveryCodesLeft } from './RecoveryCodesLeft.tsx'

const TotpSetUp = lazy(() => import('./TotpSetUp.tsx'))
const RecoveryCodes = lazy(() => import('./RecoveryCodes.tsx'))

const ROW = 'flex flex-wrap items-center justify-between gap-3 px-4 py-3'

type DialogState = 'set up' | 'switch off' | { readonly codes: readonly string[] }

export function SecondFactor() {
  const user = useUser()
  const confirmIdentity = useConfirmIdentity()
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const on = user?.hasTotp ?? false
  const required = user?.hasSecondFactor ?? false
  const begin = async (next: 'set up' | 'switch off') => {
    if (await confirmIdentity()) setDialog(next)
  }
  const renew = async () => {
    if (!(await confirmIdentity())) return
    const { recoveryCodes } = await accounts.call['POST /api/user/recovery_codes']({ body: {} })
    setDialog({ codes: recoveryCodes })
  }
  return (
    <>
      <Section
        title="Authenticator app"
        summary="Adds a six-digit code from an app on your phone to your password. Passkeys need no code."
      >
        <Panel className={ROW}>
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <StatusBadge tone={on ? 'ok' : 'off'}>{on ? 'On' : 'Off'}</StatusBadge>
            {!on && (
              <span className="text-dim">
                {required
                  ? 'Sign-in requires your passkey or a recovery code.'
                  : 'Sign-in requires only your password.'}
              </span>
            )}
          </div>
          <Button changes onClick={() => void begin(on ? 'switch off' : 'set up')}>
            {on ? 'Switch off' : 'Set up'}
          </Button>
        </Panel>
      </Section>
      {required && (
        <Section
          title="Recovery codes"
          summary="Sign in with your password and one of these if you lose your phone or passkey."
        >
          <Panel className={ROW}>
            <div className="text-sm">
              <SectionErrorBoundary loading={<Skeleton className="h-4 w-44" />}>
                <RecoveryCodesLeft />
              </SectionErrorBoundary>
            </div>
            <Button changes onClick={() => void renew()}>
              New recovery codes
            </Button>
          </Panel>
        </Section>
      )}
      <Suspense>
        {dialog === 'set up' && (
          <TotpSetUp
            onClose={() => setDialog(null)}
            onDone={(codes) => {
              setDialog({ codes })
              void refreshUser()
            }}
          />
        )}
        {dialog !== null && typeof dialog === 'object' && (
          <RecoveryCodes codes={dialog.codes} onClose={() => setDialog(null)} />
        )}
      </Suspense>
      <Confirm
        open={dialog === 'switch off'}
        onClose={() => setDialog(null)}
        title="Turn off the authenticator app?"
        consequences={[
          'Codes from the app no longer work. If you have no passkey, sign-in will require only your password and your recovery codes stop working.',
        ]}
        action="Switch off"
        danger
        onConfirm={async () => {
          await accounts.call['DELETE /api/user/totp']()
          await refreshUser()
          notify({ type: 'success', title: 'Authenticator app turned off' })
        }}
      />
    </>
  )
}
