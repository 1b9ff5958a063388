import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import { ownConnection, transit } from './api.ts'

export function AsSetForm({ asSet, onDone }: { asSet: string | null; onDone: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues, submission: Submission) => {
    const name = values.text('asSet')
    const body = { asSet: name === '' ? null : name }
    const saved = await transit.call['PUT /api/transit_connection']({ body }, submission)
    queries.setQueryData(ownConnection().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={save} explain={explainFailure}>
      <TextField
        label="AS-SET"
        name="asSet"
        mono
        optional
        defaultValue={asSet ?? ''}
        placeholder="AS64500:AS-CUSTOMERS"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Your AS-SET, such as AS64500:AS-CUSTOMERS in RIPE. It lists your ASN and your customers’ ASNs. Leave empty to remove."
      />
      <FormFooter onCancel={onDone}>Save AS-SET</FormFooter>
    </Form>
  )
}
