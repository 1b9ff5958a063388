import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues } from '../../../portal/ui/Form.tsx'
import { FormFoot } from '../../../portal/ui/FormFoot.tsx'
import { notify } from '../../../portal/notifications.ts'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'
import { explainProof } from '../proof/explain-proof.ts'
import { useProve } from '../proof/prove.ts'
import { createPasskey } from '../proof/webauthn.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'

export function NewPasskey({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const prove = useProve()
  const add = async (values: FormValues) => {
    if (!(await prove())) return
    const quiet = { notify: false } as const
    const request = await accounts.call['POST /api/user/passkeys/requests']({ body: {} }, quiet)
    const credential = await createPasskey(request)
    const body = { name: values.text('name'), credential }
    const passkey = await accounts.call['POST /api/user/passkeys']({ body }, quiet)
    notify({ type: 'success', title: `“${passkey.name}” added`, body: 'You can now sign in with it.' })
    onDone()
  }
  return (
    <Dialog open onClose={onClose} title="Add a passkey">
      <Form onSubmit={add} explain={explainProof} label="Add a passkey">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={NAME_MAX_LENGTH}
          defaultValue={describeBrowser(navigator.userAgent)}
          hint="To recognize it later. Your browser asks next where to save it."
        />
        <FormFoot onCancel={onClose}>Continue</FormFoot>
      </Form>
    </Dialog>
  )
}
