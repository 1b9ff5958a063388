import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { controls, limitRequests } from './api.ts'

export function LimitRequestForm({
  family,
  limit,
  isGranted,
  onDone,
}: {
  family: 4 | 6
  limit: number
  /** Staff set the limit on request; otherwise it follows from the approved prefixes. */
  isGranted: boolean
  onDone: () => void
}) {
  const queries = useQueryClient()
  const ask = async (values: FormValues, submission: Submission) => {
    const body = { family, routes: Number(values.text('routes')), reason: values.text('reason') }
    const saved = await controls.call['POST /api/transit_connection/limit_requests']({ body }, submission)
    queries.setQueryData(limitRequests().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={ask} explain={explainFailure}>
      <p>
        The limit is {limit} routes{isGranted ? ', as we granted' : ': 200, and four for each approved prefix'}. We read
        your request and email you the decision.
      </p>
      <TextField label="Routes" name="routes" type="number" required min={limit + 1} max={2_000_000} />
      <TextAreaField label="Reason" name="reason" rows={3} required minLength={3} maxLength={500} />
      <FormFooter onCancel={onDone}>Send request</FormFooter>
    </Form>
  )
}
