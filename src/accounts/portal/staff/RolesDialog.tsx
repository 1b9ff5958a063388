import { ROLES, STAFF_ROLES, type StaffRole } from '../../../kernel/required-role.ts'
import type { StaffMember } from '../../contract.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { Checkbox } from '../../../ui/components/choices.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { staffAccounts } from './api.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { fullName } from './user-name.ts'

/** Adds a member of staff, or changes the roles of one. */
export function RolesDialog({
  member,
  mustOwn,
  onClose,
  onDone,
}: {
  /** Null for a new member. */
  member: StaffMember | null
  /** The only owner must stay an owner. */
  mustOwn: boolean
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const confirmIdentity = useConfirmIdentity()
  const submit = async (values: FormValues, submission: Submission) => {
    const chosen = values.all('roles')
    const roles = STAFF_ROLES.filter((role) => chosen.includes(role) || (mustOwn && role === 'owner'))
    if (!(await confirmIdentity())) return
    const after = member
      ? await staffAccounts.call['PUT /api/admin/staff/{id}'](
          { params: { id: member.id }, body: { roles } },
          submission,
        )
      : await staffAccounts.call['POST /api/admin/staff']({ body: { email: values.text('email'), roles } }, submission)
    await onDone()
    onClose()
    notify({
      type: 'success',
      title: member ? `Roles of ${fullName(after)} changed` : `${fullName(after)} added to staff`,
      body: after.roles.map((role) => ROLES[role].label).join(', '),
    })
  }
  return (
    <FormDialog
      title={member ? `Roles of ${fullName(member)}` : 'Add staff'}
      action={member ? 'Change roles' : 'Add staff'}
      onClose={onClose}
      onSubmit={submit}
    >
      {!member && (
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="off"
          hint="They need an account first. We notify them by email."
        />
      )}
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">Roles</legend>
        {STAFF_ROLES.map((role) => (
          <RoleChoice key={role} role={role} member={member} fixed={mustOwn && role === 'owner'} />
        ))}
      </fieldset>
    </FormDialog>
  )
}

const RoleChoice = ({ role, member, fixed }: { role: StaffRole; member: StaffMember | null; fixed: boolean }) => (
  <Checkbox
    name="roles"
    value={role}
    label={ROLES[role].label}
    hint={fixed ? 'The only owner. Make another user an owner first.' : `Access to ${ROLES[role].covers}.`}
    defaultChecked={member ? member.roles.includes(role) : role === 'support'}
    disabled={fixed}
  />
)
