import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'
import { explainPasskeyError } from '../proof/explain-proof.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { createPasskey } from '../proof/webauthn.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'

export function NewPasskey({
  onDone,
  onClose,
}: {
  /** Receives the new recovery codes if the account had none. */
  onDone: (recoveryCodes: readonly string[] | null) => void
  onClose: () => void
}) {
  const confirmIdentity = useConfirmIdentity()
  const add = async (values: FormValues) => {
    if (!(await confirmIdentity())) return
    const quiet = { notify: false } as const
    const request = await accounts.call['POST /api/user/passkeys/requests']({ body: {} }, quiet)
    const credential = await createPasskey(request)
    const body = { name: values.text('name'), credential }
    const passkey = await accounts.call['POST /api/user/passkeys']({ body }, quiet)
    notify({ type: 'success', title: `“${passkey.name}” added`, body: 'You can now sign in with it.' })
    onDone(passkey.recoveryCodes)
  }
  return (
    <Dialog open onClose={onClose} title="Add a passkey">
      <Form onSubmit={add} explain={explainPasskeyError} label="Add a passkey">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={NAME_MAX_LENGTH}
          defaultValue={describeBrowser(navigator.userAgent)}
          hint="To recognize it later. Your browser asks next where to save it."
        />
        <FormFooter onCancel={onClose}>Continue</FormFooter>
      </Form>
    </Dialog>
  )
}
