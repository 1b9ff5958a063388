import { AREAS, type Scope } from '../../../kernel/scope.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { SelectField, TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import type { ApiToken } from '../../contract.ts'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { ScopeChoice } from './ScopeChoice.tsx'

const TERMS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'a year' },
]

class NoScope extends Error {
  override readonly name = 'NoScope'
}

export function NewToken({
  onMade,
  onClose,
}: {
  onMade: (token: ApiToken & { token: string }) => void
  onClose: () => void
}) {
  const user = useUser()
  const confirmIdentity = useConfirmIdentity()
  const areas = AREAS.filter((area) => area !== 'staff' || user?.isAdmin)
  const make = async (values: FormValues, submission: Submission) => {
    const scopes = areas
      .map((area) => [area, values.text(`scope-${area}`)] as const)
      .filter(([, verb]) => verb === 'read' || verb === 'write')
      .map(([area, verb]) => `${area}:${verb}` as Scope)
    if (scopes.length === 0) throw new NoScope()
    // The identity confirmation may have expired while the form was filled in. Confirming again loses no input.
    if (!(await confirmIdentity())) return
    const body = {
      name: values.text('name'),
      expiresInDays: Number(values.text('expiresInDays')),
      scopes,
      networks: values
        .text('networks')
        .split(/[\s,]+/)
        .filter(Boolean),
    }
    onMade(await accounts.call['POST /api/user/api_tokens']({ body }, submission))
  }
  return (
    <Dialog open onClose={onClose} title="New token">
      <Form onSubmit={make} explain={explain} label="New token">
        <div className="grid gap-3 sm:grid-cols-[1fr_9rem]">
          <TextField label="Name" name="name" required maxLength={NAME_MAX_LENGTH} placeholder="terraform" />
          <SelectField label="Expires after" name="expiresInDays" defaultValue="90" choices={TERMS} />
        </div>
        <ScopeChoice areas={areas} />
        <TextAreaField
          label="Allowed networks"
          name="networks"
          optional
          mono
          rows={2}
          spellCheck={false}
          placeholder={'192.0.2.0/24\n2001:db8::/48'}
          hint="Prefixes or addresses the token can be used from. Leave empty for any."
        />
        <FormFooter onCancel={onClose}>Create token</FormFooter>
      </Form>
    </Dialog>
  )
}

const explain = (error: unknown): FormErrors | null =>
  error instanceof NoScope ? { fields: {}, message: 'Choose at least one permission.' } : explainFailure(error)
