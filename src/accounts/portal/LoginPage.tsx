import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { homePath, returnPathToKeep, safeReturnPath } from '../../kernel/return-path.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { setUser, type CurrentUser } from '../../ui/runtime/session.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { EmailField } from './EmailField.tsx'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SubmitButton } from './SubmitButton.tsx'

const route = getRouteApi('/login')

export function LoginPage() {
  const { redirect } = route.useSearch()
  const router = useRouter()
  /** Which second factor the server requires, in its words; null before it has asked for one. */
  const [wanted, setWanted] = useState<string | null>(null)
  const [unverified, setUnverified] = useState<string | null>(null)

  const goOn = (user: CurrentUser) => router.history.push(returnLink(user, redirect))
  const signIn = async (values: FormValues, submission: Submission) => {
    const code = values.text('code')
    const body = {
      email: values.text('email'),
      password: values.raw('password'),
      ...(code === '' ? {} : { code }),
      ...returnPathToKeep(redirect),
    }
    let user: CurrentUser
    try {
      user = await accounts.call['POST /api/session']({ body }, submission)
    } catch (error) {
      const why = error instanceof HttpFailure ? error.problem.code : null
      if (error instanceof HttpFailure && why === 'totp_required' && wanted === null)
        return setWanted(error.problem.detail)
      if (why === 'email_unverified') return setUnverified(body.email)
      throw error
    }
    setUser(user)
    goOn(user)
  }
  return (
    <AccountFrame
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Link to="/signup" search={redirect === undefined ? {} : { redirect }} className="link">
            Create an account
          </Link>
        </>
      }
    >
      {unverified && (
        <div className="mb-4">
          <Callout tone="info" title="Confirm your address first" alert>
            We have sent the link to {unverified} again. Open it to sign in.
          </Callout>
        </div>
      )}
      <Form onSubmit={signIn} explain={explainSignIn}>
        <EmailField />
        <PasswordField purpose="current" />
        {wanted !== null && (
          <TextField
            label="Authentication code"
            name="code"
            mono
            required
            // The field appears in response to a click: the user's next step is to type here.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            autoComplete="one-time-code"
            hint={wanted}
          />
        )}
        <SubmitButton>Sign in</SubmitButton>
        <PasskeySignIn onSignedIn={goOn} />
        <Link to="/password/reset" className="link justify-self-center text-sm">
          Forgot your password?
        </Link>
      </Form>
    </AccountFrame>
  )
}

/** Staff without an ASN go to the dashboard instead of the customer's router list. */
function returnLink({ isAdmin, asnVerifiedAt }: CurrentUser, redirect: string | undefined): string {
  const wanted = safeReturnPath(redirect)
  return wanted === homePath && isAdmin && asnVerifiedAt === null ? '/admin' : wanted
}

/** The API gives the same answer for a wrong password and an unknown address; so does the form. */
function explainSignIn(error: unknown): FormErrors | null {
  if (!(error instanceof HttpFailure) || error.status !== 401) return explainFailure(error)
  if (error.problem.code === 'totp_required')
    return { fields: { code: 'This code is wrong or was already used.' }, message: null }
  return { fields: {}, message: 'The email address or password is wrong.' }
}
