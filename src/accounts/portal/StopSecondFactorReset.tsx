import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { supportEmail } from '../../ui/runtime/page-settings.ts'
import { refreshUser } from '../../ui/runtime/session.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { SubmitButton } from './SubmitButton.tsx'

/** Opened by the link in the email, signed in or not. It takes a click, because mail scanners follow links. */
export function StopSecondFactorReset({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    // The route belongs to a page with another title. A separate route would add to every first page load.
    const before = document.title
    document.title = before.replace('Verify your email', 'Stop the reset')
    return () => {
      document.title = before
    }
  }, [])
  const stop = async (_: FormValues, submission: Submission) => {
    await accounts.call['POST /api/verify/second_factor_reset']({ body: { token } }, submission)
    setDone(true)
    await refreshUser().catch(() => null)
  }
  if (done) {
    return (
      <AccountFrame
        title="Reset stopped"
        summary="Your authenticator app, passkeys and recovery codes still work. If you didn’t ask for the reset, set a new password."
      >
        <Link to="/password/reset" className={buttonClass('primary', 'md', 'h-9 w-full')}>
          Set a new password
        </Link>
        <p className="mt-4 text-sm text-dim">
          Questions? Contact{' '}
          <a href={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </a>
          .
        </p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Stop the reset"
      summary="Our staff were asked to reset the second factor of your account: authenticator app, passkeys and recovery codes."
    >
      <Form onSubmit={stop} explain={explain}>
        <SubmitButton>Stop the reset</SubmitButton>
        <Callout>Lost your second factor and asked for this? Close this page. The reset continues.</Callout>
      </Form>
    </AccountFrame>
  )
}

function explain(error: unknown): FormErrors | null {
  if (error instanceof HttpFailure && error.status === 422) {
    return {
      fields: {},
      message: `This link was already used, or the reset has ended. If you can’t sign in, contact ${supportEmail}.`,
    }
  }
  return explainFailure(error)
}
