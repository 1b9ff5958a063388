import { explainFailure } from '../../../portal/explain-failure.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
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
    <Dialog open onClose={onClose} title="Rename the passkey">
      <Form onSubmit={rename} explain={explainFailure} label="Rename the passkey">
        {({ busy }) => (
          <>
            <TextField label="Name" name="name" required maxLength={NAME_MAX_LENGTH} defaultValue={passkey.name} />
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" busy={busy}>
                Rename
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}
