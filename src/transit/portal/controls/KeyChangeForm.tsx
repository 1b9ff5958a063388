import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { ownConnection } from '../api.ts'
import { controls } from './api.ts'

export function KeyChangeForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const plan = async (values: FormValues, submission: Submission) => {
    const at = values.text('at')
    const body = { password: values.raw('password'), ...(at !== '' && { at: new Date(at).toISOString() }) }
    const saved = await controls.call['PUT /api/transit_connection/password_change']({ body }, submission)
    queries.setQueryData(ownConnection().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={plan} explain={explainFailure}>
      <p>
        A session has one key at a time. The edge switches to the new one when you confirm that your router has it, or
        at the time that you choose. If no session comes up with it within 5 minutes, the edge returns to the old key.
        Our router image changes its key together with the edge.
      </p>
      <TextField
        label="New MD5 key"
        name="password"
        type="password"
        mono
        required
        autoComplete="new-password"
        maxLength={80}
        hint="Used for both sessions (RFC 2385)."
      />
      <TextField
        label="Use the new key from"
        name="at"
        type="datetime-local"
        optional
        hint="Your local time. Leave it empty to confirm with “My router has it” later."
      />
      <FormFooter onCancel={onDone}>Save new key</FormFooter>
    </Form>
  )
}
