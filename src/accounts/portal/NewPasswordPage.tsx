import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { clearUser } from '../../ui/runtime/session.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { MissingTokenPage } from './MissingTokenPage.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SubmitButton } from './SubmitButton.tsx'

const route = getRouteApi('/password/new')

export function NewPasswordPage() {
  const { token = '' } = route.useSearch()
  const router = useRouter()
  const change = async (values: FormValues, submission: Submission) => {
    await accounts.call['POST /api/password']({ body: { token, password: values.raw('password') } }, submission)
    clearUser()
    await router.navigate({ to: '/login' })
    notify({
      type: 'success',
      title: 'Password changed',
      body: 'All sessions ended and API tokens were revoked. Sign in with your new password.',
    })
  }
  if (token === '') {
    return (
      <MissingTokenPage title="New password">
        <Link to="/password/reset" className={buttonClass('primary', 'md', 'h-9 w-full')}>
          Request a link
        </Link>
      </MissingTokenPage>
    )
  }
  return (
    <AccountFrame
      title="New password"
      summary="Signs you out everywhere and revokes your API tokens."
      footer={
        <Link to="/password/reset" className="link">
          Request another link
        </Link>
      }
    >
      <Form onSubmit={change} explain={explainChange}>
        <PasswordField purpose="new" />
        <SubmitButton>Set password</SubmitButton>
      </Form>
    </AccountFrame>
  )
}

/** A used or expired link is not shown as an error of the password field. */
function explainChange(error: unknown): FormErrors | null {
  const stale = error instanceof HttpFailure && error.problem.errors.some(({ field }) => field === 'token')
  return stale
    ? { fields: {}, message: 'This link has expired or was already used. Request another one.' }
    : explainFailure(error)
}
