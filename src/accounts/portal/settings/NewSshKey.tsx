import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'

export function NewSshKey({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const add = async (values: FormValues, submission: Submission) => {
    const name = values.text('name')
    const body = { publicKey: values.text('publicKey'), ...(name === '' ? {} : { name }) }
    await accounts.call['POST /api/user/ssh_keys']({ body }, submission)
    onDone()
  }
  return (
    <Dialog open onClose={onClose} title="Add an SSH key">
      <Form onSubmit={add} explain={explainFailure} label="Add an SSH key">
        <TextAreaField
          label="Public key"
          name="publicKey"
          mono
          required
          rows={4}
          spellCheck={false}
          placeholder="ssh-ed25519 AAAA… ann@laptop"
          hint="One line, from the .pub file that ssh-keygen creates."
        />
        <TextField
          label="Name"
          name="name"
          optional
          maxLength={NAME_MAX_LENGTH}
          hint="Defaults to the comment at the end of the key."
        />
        <FormFooter onCancel={onClose}>Add SSH key</FormFooter>
      </Form>
    </Dialog>
  )
}
