import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { ownConnection } from '../api.ts'
import { controls } from './api.ts'

export function ShutdownForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const shut = async (values: FormValues, submission: Submission) => {
    const message = values.text('message')
    const saved = await controls.call['PUT /api/transit_connection/shutdown'](
      { body: message === '' ? {} : { message } },
      submission,
    )
    queries.setQueryData(ownConnection().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={shut} explain={explainFailure}>
      <p>
        Both sessions go down within seconds and none of your prefixes are announced. They stay down, also when your
        router or our edge restarts, until you enable them here.
      </p>
      <TextField
        label="Message to your router"
        name="message"
        optional
        maxLength={128}
        autoComplete="off"
        hint="Your router logs it with the Cease notification (RFC 9003). At most 128 bytes, no quotes."
      />
      <FormFooter onCancel={onDone} variant="danger">
        Shut down sessions
      </FormFooter>
    </Form>
  )
}
