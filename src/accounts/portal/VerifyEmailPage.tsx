import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { safeReturnPath } from '../../kernel/return-path.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { setUser, currentUser, useUser } from '../../ui/runtime/session.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { Spinner } from '../../ui/components/Spinner.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { ConfirmEmailChange } from './ConfirmEmailChange.tsx'
import { accounts } from './api.ts'
import { STOP_PREFIX } from '../second-factor-reset/stop-link.ts'
import { MissingTokenPage } from './MissingTokenPage.tsx'
import { PasswordField } from './PasswordField.tsx'
import { StopSecondFactorReset } from './StopSecondFactorReset.tsx'
import { SubmitButton } from './SubmitButton.tsx'

const route = getRouteApi('/verify/email')

/** A token works once: rendering the page twice must not send it twice. */
const sent = new Map<string, ReturnType<typeof verify>>()
const verify = (token: string) => accounts.call['POST /api/verify/email']({ body: { token } }, { notify: false })

export function VerifyEmailPage() {
  const { token = '', change } = route.useSearch()
  if (change?.startsWith(STOP_PREFIX)) return <StopSecondFactorReset token={change.slice(STOP_PREFIX.length)} />
  if (change !== undefined) return <ConfirmEmailChange token={change} />
  return token === '' ? <MissingToken /> : <ConfirmAddress token={token} />
}

const MissingToken = () => (
  <MissingTokenPage title="Verify your email">
    <Link to="/login" className={buttonClass('primary', 'md', 'h-9 w-full')}>
      Sign in
    </Link>
  </MissingTokenPage>
)

type VerificationError =
  | { readonly kind: 'spent' }
  | { readonly kind: 'password' }
  | { readonly kind: 'failed'; readonly words: string }

function ConfirmAddress({ token }: { token: string }) {
  const router = useRouter()
  const user = useUser()
  const [problem, setProblem] = useState<VerificationError | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const asked = sent.get(token) ?? verify(token)
    sent.set(token, asked)
    asked
      .then((verified) => enter(router, verified))
      .catch(async (error: unknown) => {
        if (error instanceof HttpFailure && error.problem.code === 'password_required') {
          sent.delete(token)
          return setProblem({ kind: 'password' })
        }
        const spent = error instanceof HttpFailure && error.status === 422
        if (spent) await currentUser().catch(() => null)
        // The request never arrived or was not processed, so the token still works.
        else sent.delete(token)
        setProblem(
          spent
            ? { kind: 'spent' }
            : { kind: 'failed', words: explainFailure(error)?.message ?? 'Something went wrong.' },
        )
      })
  }, [token, router, attempt])

  if (problem === null) {
    return (
      <AccountFrame title="Verify your email">
        <output className="flex items-center gap-2.5 text-base text-dim">
          <Spinner /> Checking the link
        </output>
      </AccountFrame>
    )
  }
  if (problem.kind === 'failed') {
    const again = () => {
      setProblem(null)
      setAttempt(attempt + 1)
    }
    return (
      <AccountFrame title="Verify your email">
        <Callout tone="bad" title="The link could not be verified" alert>
          {problem.words} The link is still valid.
        </Callout>
        <Button variant="primary" className="mt-4 h-9 w-full" onClick={again}>
          Try again
        </Button>
      </AccountFrame>
    )
  }
  if (problem.kind === 'password') {
    return <ChoosePassword token={token} onSpent={() => setProblem({ kind: 'spent' })} />
  }
  return user ? <AlreadyIn email={user.email} /> : <Spent />
}

function enter(router: ReturnType<typeof useRouter>, { redirect, ...user }: Awaited<ReturnType<typeof verify>>): void {
  setUser(user)
  router.history.push(safeReturnPath(redirect))
}

/** Shown when another person signed up with this address too and knows the password of that sign-up. */
function ChoosePassword({ token, onSpent }: { token: string; onSpent: () => void }) {
  const router = useRouter()
  const confirm = async (values: FormValues, submission: Submission) => {
    const body = { token, password: values.raw('password') }
    try {
      enter(router, await accounts.call['POST /api/verify/email']({ body }, submission))
    } catch (error) {
      const spent = error instanceof HttpFailure && error.problem.errors.some(({ field }) => field === 'token')
      if (!spent) throw error
      onSpent()
    }
  }
  return (
    <AccountFrame
      title="Verify your email"
      summary="More than one sign-up was made with this address. Choose the password of your account; no other one will work."
    >
      <Form onSubmit={confirm} explain={explainFailure}>
        <PasswordField purpose="new" />
        <SubmitButton>Confirm address</SubmitButton>
      </Form>
    </AccountFrame>
  )
}

/** Links get opened twice: by the reader again, or on a phone after the laptop. */
const AlreadyIn = ({ email }: { email: string }) => (
  <AccountFrame title="Verify your email">
    <Callout tone="ok" title="Already confirmed" alert>
      This link was already used. You are signed in as {email}, and your address is confirmed.
    </Callout>
    <Link to="/" className={buttonClass('primary', 'md', 'mt-4 h-9 w-full')}>
      Continue
    </Link>
  </AccountFrame>
)

const Spent = () => (
  <AccountFrame title="Verify your email">
    <Callout tone="bad" alert>
      This link has expired or was already used. Sign in: if your address is not confirmed yet, we send another link.
    </Callout>
    <Link to="/login" className={buttonClass('primary', 'md', 'mt-4 h-9 w-full')}>
      Sign in
    </Link>
  </AccountFrame>
)
