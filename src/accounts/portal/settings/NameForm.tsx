import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { setUser, type CurrentUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'

export function NameForm({ user }: { user: CurrentUser }) {
  const save = async (values: FormValues, submission: Submission) => {
    const body = { firstName: values.text('firstName'), lastName: values.text('lastName') }
    setUser(await accounts.call['PATCH /api/user']({ body }, submission))
    notify({ type: 'success', title: 'Name saved' })
  }
  return (
    <Form onSubmit={save} explain={explainFailure} label="Your name" className="grid max-w-xl gap-3">
      {({ busy }) => (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              label="First name"
              name="firstName"
              autoComplete="given-name"
              required
              maxLength={NAME_MAX_LENGTH}
              defaultValue={user.firstName}
            />
            <TextField
              label="Last name"
              name="lastName"
              autoComplete="family-name"
              required
              maxLength={NAME_MAX_LENGTH}
              defaultValue={user.lastName}
            />
          </div>
          <div>
            <Button type="submit" busy={busy}>
              Save name
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}
