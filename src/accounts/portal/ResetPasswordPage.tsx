import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { EmailField } from './EmailField.tsx'
import { MailSent } from './MailSent.tsx'
import { SubmitButton } from './SubmitButton.tsx'

export function ResetPasswordPage() {
  const [email, setEmail] = useState<string>()
  const [sent, setSent] = useState(false)
  const ask = async (values: FormValues, submission: Submission) => {
    const body = { email: values.text('email') }
    await accounts.call['POST /api/password/reset']({ body }, submission)
    setEmail(body.email)
    setSent(true)
  }
  if (email !== undefined && sent)
    return (
      <MailSent
        to={email}
        lead="If an account exists, we sent an email to"
        onAgain={async () => {
          await accounts.call['POST /api/password/reset']({ body: { email } })
        }}
        onChange={() => setSent(false)}
      >
        Use the link in it to set a new password. It is valid for one hour.
      </MailSent>
    )
  return (
    <AccountFrame
      title="Reset password"
      summary="Enter your account’s email address. We will send you a link to set a new password."
      footer={
        <Link to="/login" className="link">
          Back
        </Link>
      }
    >
      <Form onSubmit={ask} explain={explainFailure}>
        <EmailField defaultValue={email} />
        <SubmitButton>Send link</SubmitButton>
      </Form>
    </AccountFrame>
  )
}
