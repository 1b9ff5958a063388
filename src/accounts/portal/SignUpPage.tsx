import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { returnPathToKeep } from '../../kernel/return-path.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { termsUrl } from '../../ui/runtime/page-settings.ts'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { ADDRESS_LINK_HOURS, NAME_MAX_LENGTH } from '../policy.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { EmailField } from './EmailField.tsx'
import { MailSent } from './MailSent.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SubmitButton } from './SubmitButton.tsx'

const route = getRouteApi('/signup')

/** Kept while the page is open, so that a wrong address can be corrected without retyping the rest. */
interface Entered {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly password: string
}

export function SignUpPage() {
  const search = route.useSearch()
  const [entered, setEntered] = useState<Entered | null>(null)
  const [sent, setSent] = useState(false)
  const signUp = async (values: FormValues, submission: Submission) => {
    const body = {
      firstName: values.text('firstName'),
      lastName: values.text('lastName'),
      email: values.text('email'),
      password: values.raw('password'),
      ...returnPathToKeep(search.redirect),
    }
    await accounts.call['POST /api/users']({ body }, submission)
    setEntered(body)
    setSent(true)
  }
  if (entered && sent)
    return (
      <MailSent
        to={entered.email}
        redirect={search.redirect}
        onAgain={async () => {
          await accounts.call['POST /api/users']({ body: entered })
        }}
        onChange={() => setSent(false)}
      >
        Open the link to confirm your address. It is valid for {ADDRESS_LINK_HOURS} hours.
      </MailSent>
    )
  return (
    <AccountFrame
      title="Create account"
      summary="Virtual routers and IP transit for your own ASN."
      footer={
        <>
          Have an account?{' '}
          <Link to="/login" search={search} className="link">
            Sign in
          </Link>
        </>
      }
    >
      <Form onSubmit={signUp} explain={explainFailure}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="First name"
            name="firstName"
            autoComplete="given-name"
            defaultValue={entered?.firstName}
            required
            maxLength={NAME_MAX_LENGTH}
          />
          <TextField
            label="Last name"
            name="lastName"
            autoComplete="family-name"
            defaultValue={entered?.lastName}
            required
            maxLength={NAME_MAX_LENGTH}
          />
        </div>
        <EmailField defaultValue={entered?.email} />
        <PasswordField purpose="new" defaultValue={entered?.password} />
        <SubmitButton>Create account</SubmitButton>
        {termsUrl && (
          <p className="text-center text-sm text-dim">
            By creating an account you agree to the{' '}
            <a href={termsUrl} className="link" target="_blank" rel="noreferrer">
              terms
            </a>
            .
          </p>
        )}
      </Form>
    </AccountFrame>
  )
}
