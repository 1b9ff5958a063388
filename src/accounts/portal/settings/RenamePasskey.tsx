import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import type { Passkey } from '../../contract.ts'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'

export function RenamePasskey({
  passkey,
  onDone,
  onClose,
}: {
  passkey: Passkey
  onDone: () => void
  onClose: () => void
}) {
  const rename = async (values: FormValues, submission: Submission) => {
    const input = { params: { id: passkey.id }, body: { name: values.text('name') } }
    await accounts.call['PATCH /api/user/passkeys/{id}'](input, submission)
    onDone()
  }
  return (
    <Dialog open onClose={onClose} title="Rename passkey">
      <Form onSubmit={rename} explain={explainFailure} label="Rename passkey">
        <TextField label="Name" name="name" required maxLength={NAME_MAX_LENGTH} defaultValue={passkey.name} />
        <FormFooter onCancel={onClose}>Rename</FormFooter>
      </Form>
    </Dialog>
  )
}
