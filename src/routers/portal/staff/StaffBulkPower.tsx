import { useState } from 'react'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { BulkPowerAction } from '../../states.ts'
import { countOf, outcomesInWords, splitSelection, type Selected } from '../bulk-power.ts'
import { BulkPowerButtons } from '../BulkPower.tsx'
import { BulkPowerPlan } from '../BulkPowerPlan.tsx'
import { POWER_BUTTON } from '../router-labels.ts'
import { staffRouters } from './api.ts'

/** Bulk power actions on customers' routers, with a reason that each customer reads. */
export function StaffBulkPower({ routers, onDone }: { routers: readonly Selected[]; onDone: () => void }) {
  const missingRole = useMissingRoleReason('support')
  const [asked, setAsked] = useState<BulkPowerAction | null>(null)
  const taken = asked ? splitSelection(asked, routers).taken : []
  return (
    <>
      <BulkPowerButtons routers={routers} blockedReason={missingRole} onPress={setAsked} />
      {asked && (
        <FormDialog
          title={`${POWER_BUTTON[asked].label} ${countOf(taken.length)}`}
          action={`${POWER_BUTTON[asked].label} ${countOf(taken.length)}`}
          onClose={() => setAsked(null)}
          onSubmit={async (values, submission) => {
            const body = { action: asked, ids: taken.map(({ id }) => id), reason: values.text('reason') }
            const outcomes = await staffRouters.call['POST /api/admin/virtual_machines/actions']({ body }, submission)
            notify(outcomesInWords(asked, outcomes))
            await rereadStaff()
            onDone()
          }}
        >
          <BulkPowerPlan action={asked} routers={routers} />
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            required
            minLength={10}
            maxLength={500}
            hint="Shown to each customer in their activity."
          />
        </FormDialog>
      )}
    </>
  )
}
