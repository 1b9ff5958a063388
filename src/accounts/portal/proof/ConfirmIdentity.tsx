import { useState } from 'react'
import { useUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { PROOF_HOLDS_MINUTES } from '../../policy.ts'
import { accounts } from '../api.ts'
import { PasswordField } from '../PasswordField.tsx'
import { explainProof } from './explain-proof.ts'
import { answerWithPasskey } from './webauthn.ts'

/** Asks again who sits there: with the password, or with a passkey where there is one. */
export function ConfirmIdentity({ passkeys, onSettle }: { passkeys: boolean; onSettle: (proved: boolean) => void }) {
  const user = useUser()
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const byPassword = async (values: FormValues, submission: Submission) => {
    await accounts.call['POST /api/session/confirmation']({ body: { password: values.raw('password') } }, submission)
    onSettle(true)
  }
  const byPasskey = async () => {
    setBusy(true)
    setTrouble(null)
    try {
      const request = await accounts.call['POST /api/passkey_requests']({ body: {} }, { notify: false })
      const body = await answerWithPasskey(request)
      await accounts.call['POST /api/session/confirmation/passkey']({ body }, { notify: false })
      onSettle(true)
    } catch (error) {
      const explained = explainProof(error)
      if (!explained) throw error
      setTrouble(explained.message ?? 'This passkey does not belong to your account.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open onClose={() => onSettle(false)} title="Confirm your identity" width="sm">
      <p className="mb-4 text-sm text-dim">
        This affects the security of your account. Confirmation is valid for {PROOF_HOLDS_MINUTES} minutes.
      </p>
      <Form onSubmit={byPassword} explain={explainProof} label="Confirm with your password">
        {(form) => (
          <>
            {/* Tells password managers whose password this is. */}
            <input
              type="text"
              autoComplete="username"
              value={user?.acting?.staff.email ?? user?.email ?? ''}
              readOnly
              hidden
            />
            <PasswordField purpose="current" />
            <Button type="submit" look="primary" busy={form.busy} changes={false} className="h-9 w-full">
              Confirm
            </Button>
          </>
        )}
      </Form>
      {passkeys && (
        <div className="mt-3 grid gap-3">
          <Button icon="key" busy={busy} changes={false} className="h-9 w-full" onClick={() => void byPasskey()}>
            Use a passkey instead
          </Button>
          {trouble && (
            <Callout tone="bad" alert>
              {trouble}
            </Callout>
          )}
        </div>
      )}
    </Dialog>
  )
}
