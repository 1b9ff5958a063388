import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explainFailure } from '../../portal/explain-failure.ts'
import { HttpFailure } from '../../portal/http-failure.ts'
import { refreshUser } from '../../portal/session.ts'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { Callout } from '../../portal/ui/Callout.tsx'
import { Form, type FormTrouble, type FormValues, type Submission } from '../../portal/ui/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { SubmitButton } from './SubmitButton.tsx'

/** One of two mailboxes agrees to another address. A person has to press: scanners of mail follow links. */
export function AgreeToChange({ token }: { token: string }) {
  const [done, setDone] = useState<{ email: string; waitingFor: 'old' | 'new' | null } | null>(null)
  const agree = async (_: FormValues, submission: Submission) => {
    setDone(await accounts.call['POST /api/verify/email_change']({ body: { token } }, submission))
    await refreshUser().catch(() => null)
  }
  if (done) {
    return (
      <AccountFrame
        title={done.waitingFor === null ? 'The address is changed' : 'One of two has agreed'}
        summary={
          done.waitingFor === null ? (
            <>Sign in with {done.email} from now on.</>
          ) : (
            <>Now open the link in the mail to the {done.waitingFor} address. Nothing changes before.</>
          )
        }
      >
        <Link to="/settings" className={buttonLook('primary', 'md', 'h-9 w-full')}>
          Go to the settings
        </Link>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Change the address"
      summary="Somebody signed in to the account asks to change its address. Both mailboxes, the old and the new one, must agree."
    >
      <Form onSubmit={agree} explain={explain}>
        <SubmitButton>Agree to the change</SubmitButton>
        <Callout>Not you? Close this page. Without you nothing changes, and the link expires by itself.</Callout>
      </Form>
    </AccountFrame>
  )
}

function explain(error: unknown): FormTrouble | null {
  if (error instanceof HttpFailure && error.status === 422) {
    return {
      fields: {},
      message: 'This link was used already or is too old. Ask for the change again in the settings.',
    }
  }
  return explainFailure(error)
}
