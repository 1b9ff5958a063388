import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { SelectField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { ownConnection } from '../api.ts'
import { controls } from './api.ts'
import { DRAIN_CHOICES } from './durations.ts'

export function DrainForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const drain = async (values: FormValues, submission: Submission) => {
    const body = { minutes: Number(values.text('minutes')) }
    const saved = await controls.call['PUT /api/transit_connection/drain']({ body }, submission)
    queries.setQueryData(ownConnection().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={drain} explain={explainFailure}>
      <p>
        Your prefixes stay announced, as the least preferred path: local preference 0 in our network, and the community
        65535:0 to our upstreams and to your router (RFC 8326). No session goes down.
      </p>
      <SelectField label="For" name="minutes" defaultValue="60" choices={DRAIN_CHOICES} hint="It ends automatically." />
      <FormFooter onCancel={onDone}>Drain sessions</FormFooter>
    </Form>
  )
}
