import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../portal/explain-failure.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { TextField } from '../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../portal/ui/Form.tsx'
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
      {({ busy }) => (
        <>
          <TextField
            label="AS-SET"
            name="asSet"
            mono
            optional
            defaultValue={asSet ?? ''}
            placeholder="AS-EXAMPLE or RIPE::AS-EXAMPLE"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            hint="Lists your ASN and those of your customers, as a routing registry holds it. Empty removes it."
          />
          <div className="flex justify-end gap-2">
            <Button onClick={onDone}>Cancel</Button>
            <Button type="submit" look="primary" busy={busy}>
              Save AS-SET
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}
