import { useState } from 'react'
import { useUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { IDENTITY_CONFIRMED_MINUTES } from '../../policy.ts'
import { accounts } from '../api.ts'
import { PasswordField } from '../PasswordField.tsx'
import { explainPasskeyError } from './explain-proof.ts'
import { answerWithPasskey } from './webauthn.ts'

export interface IdentityQuestion {
  readonly passkeys: boolean
  /** The code required beside the password. */
  readonly code: 'app' | 'recovery' | null
}

/**
 * Confirms the user's identity again: with a passkey if there is one, or with the password and a second factor code.
 */
export function ConfirmIdentity({
  question: { passkeys, code },
  onConfirmed,
}: {
  question: IdentityQuestion
  onConfirmed: (confirmed: boolean) => void
}) {
  const user = useUser()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const byPassword = async (values: FormValues, submission: Submission) => {
    const body = { password: values.raw('password'), ...(code ? { code: values.text('code') } : {}) }
    await accounts.call['POST /api/session/confirmation']({ body }, submission)
    onConfirmed(true)
  }
  const byPasskey = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const request = await accounts.call['POST /api/passkey_requests']({ body: {} }, { notify: false })
      const body = await answerWithPasskey(request)
      await accounts.call['POST /api/session/confirmation/passkey']({ body }, { notify: false })
      onConfirmed(true)
    } catch (error) {
      const explained = explainPasskeyError(error)
      if (!explained) throw error
      setProblem(explained.message ?? 'This passkey does not belong to your account.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open onClose={() => onConfirmed(false)} title="Confirm your identity" width="sm">
      <p className="mb-4 text-sm text-dim">
        This needs a recent confirmation that it is you. It is valid for {IDENTITY_CONFIRMED_MINUTES} minutes.
      </p>
      <Form onSubmit={byPassword} explain={explainPasskeyError} label="Confirm with your password">
        {(form) => (
          <>
            {/* Tells password managers which account this password belongs to. */}
            <input
              type="text"
              autoComplete="username"
              value={user?.impersonation?.staff.email ?? user?.email ?? ''}
              readOnly
              hidden
            />
            <PasswordField purpose="current" />
            {code && (
              <TextField
                label={code === 'app' ? 'Authentication code' : 'Recovery code'}
                name="code"
                mono
                required
                autoComplete="one-time-code"
                hint={code === 'app' ? 'From your authenticator app, or a recovery code.' : undefined}
              />
            )}
            <Button type="submit" variant="primary" busy={form.busy} changes={false} className="h-9 w-full">
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
          {problem && (
            <Callout tone="bad" alert>
              {problem}
            </Callout>
          )}
        </div>
      )}
    </Dialog>
  )
}
