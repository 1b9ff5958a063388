import { useState } from 'react'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { Menu } from '../../../ui/components/Menu.tsx'
import type { MenuEntry } from '../../../ui/components/menu-entries.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { AdminRouter } from '../../contract.ts'
import { STAFF_POWER_ACTIONS, type StaffPowerAction } from '../../states.ts'
import { blockedReason, POWER_BUTTON } from '../router-labels.ts'
import { staffRouters } from './api.ts'

type Chosen = StaffPowerAction | 'protect'

/** The actions of staff on a customer's router, with a reason that the owner reads. */
export function StaffRouterActions({ router }: { router: AdminRouter }) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const missingRole = useMissingRoleReason('support')
  const entries = [
    ...STAFF_POWER_ACTIONS.map((action): MenuEntry => {
      const { label, icon } = POWER_BUTTON[action]
      return {
        label,
        icon,
        disabledReason: missingRole ?? blockedReason(router, action),
        onSelect: () => setChosen(action),
      }
    }),
    {
      label: protection(router).label,
      apart: true,
      disabledReason: missingRole ?? blockedReason(router, 'rename'),
      onSelect: () => setChosen('protect'),
    },
  ]
  return (
    <>
      <Menu label={`Actions for ${router.name}`} text="Actions" entries={entries} />
      {chosen !== null && <ActionDialog router={router} action={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

const protection = ({ deleteProtected }: AdminRouter) =>
  deleteProtected
    ? {
        label: 'Turn deletion protection off',
        consequences: ['The customer can delete and reinstall this router again.'],
      }
    : {
        label: 'Turn deletion protection on',
        consequences: [
          'This router can’t be deleted or reinstalled until protection is turned off.',
          'The customer can turn it off.',
        ],
      }

function ActionDialog({ router, action, onClose }: { router: AdminRouter; action: Chosen; onClose: () => void }) {
  const { label, consequences = ['The router is powered on.'] } =
    action === 'protect' ? protection(router) : POWER_BUTTON[action]
  const params = { id: router.id }
  return (
    <FormDialog
      title={`${label}: ${router.name}`}
      action={label}
      onClose={onClose}
      onSubmit={async (values, submission) => {
        const reason = values.text('reason')
        await (action === 'protect'
          ? staffRouters.call['PUT /api/admin/virtual_machines/{id}/deletion_protection'](
              { params, body: { protected: !router.deleteProtected, reason } },
              submission,
            )
          : staffRouters.call['POST /api/admin/virtual_machines/{id}/actions'](
              { params, body: { action, reason } },
              submission,
            ))
        await rereadStaff()
        notify({ type: 'success', title: `${label}: requested for ${router.name}` })
      }}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        {consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <TextAreaField
        label="Reason"
        name="reason"
        rows={3}
        required
        minLength={10}
        maxLength={500}
        hint="Shown to the customer in their activity."
      />
    </FormDialog>
  )
}
