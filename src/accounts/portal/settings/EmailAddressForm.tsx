import { useState } from 'react'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { ADDRESS_LINK_HOURS, EMAIL_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'

/** Requests a new address. Nothing changes until both mailboxes have agreed. */
export function EmailAddressForm() {
  const confirmIdentity = useConfirmIdentity()
  const [asked, setAsked] = useState<string | null>(null)
  const ask = async (values: FormValues, submission: Submission) => {
    if (!(await confirmIdentity())) return
    const email = values.text('email')
    await accounts.call['POST /api/user/email']({ body: { email } }, submission)
    setAsked(email)
  }
  return (
    <Form onSubmit={ask} explain={explainFailure} label="Change email address" className="grid max-w-xl gap-3">
      {({ busy }) => (
        <>
          {asked && (
            <Callout tone="ok" title="Two emails are on their way" alert>
              Open the link in both, at your old address and at {asked}. Each works for {ADDRESS_LINK_HOURS} hours;
              until then nothing changes.
            </Callout>
          )}
          <TextField
            label="New email address"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            required
            maxLength={EMAIL_MAX_LENGTH}
            className="max-w-96"
          />
          <div>
            <Button type="submit" busy={busy}>
              Change email address
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}
