import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { adoptUser, type CurrentUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { NAME_MAX_LENGTH } from '../../policy.ts'
import { accounts } from '../api.ts'

export function NameForm({ user }: { user: CurrentUser }) {
  const save = async (values: FormValues, submission: Submission) => {
    const body = { firstName: values.text('firstName'), lastName: values.text('lastName') }
    adoptUser(await accounts.call['PATCH /api/user']({ body }, submission))
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
