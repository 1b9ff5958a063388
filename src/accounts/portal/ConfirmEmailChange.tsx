import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { refreshUser } from '../../ui/runtime/session.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { SubmitButton } from './SubmitButton.tsx'

/** One of the two mailboxes agrees to the new address. It takes a click, because mail scanners follow links. */
export function ConfirmEmailChange({ token }: { token: string }) {
  const [done, setDone] = useState<{ email: string; waitingFor: 'old' | 'new' | null } | null>(null)
  const agree = async (_: FormValues, submission: Submission) => {
    setDone(await accounts.call['POST /api/verify/email_change']({ body: { token } }, submission))
    await refreshUser().catch(() => null)
  }
  if (done) {
    return (
      <AccountFrame
        title={done.waitingFor === null ? 'Email address changed' : 'One of two confirmed'}
        summary={
          done.waitingFor === null ? (
            <>Sign in with {done.email}.</>
          ) : (
            <>Now open the link we emailed to the {done.waitingFor} address. Nothing changes until then.</>
          )
        }
      >
        <Link to="/settings" className={buttonClass('primary', 'md', 'h-9 w-full')}>
          Go to settings
        </Link>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Change email address"
      summary="Someone signed in to the account requested an email address change. Both the old and the new address must confirm it."
    >
      <Form onSubmit={agree} explain={explain}>
        <SubmitButton>Confirm change</SubmitButton>
        <Callout>Not you? Close this page. Nothing changes without your confirmation, and the link expires.</Callout>
      </Form>
    </AccountFrame>
  )
}

function explain(error: unknown): FormErrors | null {
  if (error instanceof HttpFailure && error.status === 422) {
    return {
      fields: {},
      message: 'This link has expired or was already used. Request the change again in settings.',
    }
  }
  return explainFailure(error)
}
