import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Checkbox } from '../../../ui/components/choices.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { accounts } from '../api.ts'
import { PasswordField } from '../PasswordField.tsx'
import { useConfirmIdentity } from '../proof/prove.ts'

const ownTokens = accounts.query['GET /api/user/api_tokens']

export function PasswordForm() {
  const user = useUser()
  const confirmIdentity = useConfirmIdentity()
  const queries = useQueryClient()
  const { data: tokens = [] } = useQuery(ownTokens())
  const [done, setDone] = useState(0)
  const change = async (values: FormValues, submission: Submission) => {
    if (!(await confirmIdentity())) return
    const keepApiTokens = tokens.length > 0 && !values.on('revokeTokens')
    const body = { password: values.raw('password'), keepApiTokens }
    await accounts.call['PUT /api/user/password']({ body }, submission)
    setDone(done + 1)
    const revoked = tokens.length > 0 && !keepApiTokens
    notify({
      type: 'success',
      title: 'Password changed',
      body: `Your other sessions have ended${revoked ? ' and your API tokens were revoked' : ''}.`,
    })
    await queries.invalidateQueries({ queryKey: ownTokens().queryKey })
  }
  return (
    <Form key={done} onSubmit={change} explain={explainFailure} label="Change password" className="grid max-w-96 gap-3">
      {({ busy }) => (
        <>
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField purpose="new" label="New password" />
          {tokens.length > 0 && (
            <Checkbox
              name="revokeTokens"
              label="Revoke API tokens"
              hint={`Programs that use them stop working: ${tokens.map(({ name }) => name).join(', ')}.`}
              defaultChecked
            />
          )}
          <div>
            <Button type="submit" busy={busy}>
              Change password
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}
