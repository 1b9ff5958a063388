import type { FormValues, Submission } from '../../../../ui/components/Form.tsx'
import { fromLocal } from '../../../../ui/components/local-time.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'
import type { AdminMaintenanceWindow } from '../../../contract.ts'
import { staffTransit } from '../api.ts'
import { readWindow, WindowFields } from './WindowFields.tsx'

export function ChangeDialog({ planned, onClose }: { planned: AdminMaintenanceWindow; onClose: () => void }) {
  const begun = planned.state === 'UNDER_WAY'
  const submit = async (values: FormValues, submission: Submission) => {
    const body = begun ? { endsAt: fromLocal(values.text('endsAt'))! } : readWindow(values)
    await staffTransit.call['PATCH /api/admin/maintenance_windows/{id}'](
      { params: { id: planned.id }, body },
      submission,
    )
    await rereadStaff()
  }
  return (
    <FormDialog title={`Change ${planned.title}`} action="Change maintenance" onClose={onClose} onSubmit={submit}>
      <WindowFields planned={planned} />
      <p className="text-sm">
        The customers who were notified get another email. To change the scope, cancel it and announce another.
      </p>
    </FormDialog>
  )
}
