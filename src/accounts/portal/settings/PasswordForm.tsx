import { useState } from 'react'
import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { useUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { accounts } from '../api.ts'
import { PasswordField } from '../PasswordField.tsx'
import { useProve } from '../proof/prove.ts'

export function PasswordForm() {
  const user = useUser()
  const prove = useProve()
  const [done, setDone] = useState(0)
  const change = async (values: FormValues, submission: Submission) => {
    if (!(await prove())) return
    await accounts.call['PUT /api/user/password']({ body: { password: values.raw('password') } }, submission)
    setDone(done + 1)
    notify({ type: 'success', title: 'Password changed', body: 'Your other sessions have ended.' })
  }
  return (
    <Form
      key={done}
      onSubmit={change}
      explain={explainFailure}
      label="Change the password"
      className="grid max-w-96 gap-3"
    >
      {({ busy }) => (
        <>
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField purpose="new" label="New password" />
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
