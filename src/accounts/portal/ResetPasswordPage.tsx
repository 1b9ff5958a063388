import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explainFailure } from '../../portal/explain-failure.ts'
import { Form, type FormValues, type Submission } from '../../portal/ui/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { EmailField } from './EmailField.tsx'
import { MailSent } from './MailSent.tsx'
import { SubmitButton } from './SubmitButton.tsx'

export function ResetPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const ask = async (values: FormValues, submission: Submission) => {
    const email = values.text('email')
    await accounts.call['POST /api/password/reset']({ body: { email } }, submission)
    setSentTo(email)
  }
  if (sentTo)
    return (
      <MailSent to={sentTo}>
        If an account has this address, the link in the mail sets a new password. It works for an hour.
      </MailSent>
    )
  return (
    <AccountFrame
      title="Reset password"
      summary="Enter the address of your account. We mail you a link that sets a new password."
      foot={
        <Link to="/login" className="link">
          Back
        </Link>
      }
    >
      <Form onSubmit={ask} explain={explainFailure}>
        <EmailField />
        <SubmitButton>Send the link</SubmitButton>
      </Form>
    </AccountFrame>
  )
}
