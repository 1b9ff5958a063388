import { SelectField, TextField } from '../../../../ui/components/Field.tsx'
import { fromLocal, toLocal } from '../../../../ui/components/local-time.ts'
import type { FormValues } from '../../../../ui/components/Form.tsx'
import type { AdminMaintenanceWindow } from '../../../contract.ts'
import type { MaintenanceEffect } from '../../../maintenance/policy.ts'
import { EFFECT_CHOICES } from './effect-labels.ts'

/** The fields of a window. Once it has begun, only its end can change. */
export function WindowFields({ planned }: { planned: AdminMaintenanceWindow | null }) {
  const until = (
    <TextField
      label="Until"
      name="endsAt"
      type="datetime-local"
      required
      defaultValue={toLocal(planned?.endsAt ?? null)}
    />
  )
  if (planned?.state === 'UNDER_WAY') return until
  return (
    <>
      <TextField
        label="Work"
        name="title"
        required
        minLength={3}
        maxLength={200}
        defaultValue={planned?.title ?? ''}
        placeholder="New line cards"
        hint="Visible to the customers."
      />
      <SelectField
        label="Effect"
        name="effect"
        defaultValue={planned?.effect ?? 'SESSIONS_DOWN'}
        choices={EFFECT_CHOICES}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From"
          name="startsAt"
          type="datetime-local"
          required
          defaultValue={toLocal(planned?.startsAt ?? null)}
          hint="Your local time."
        />
        {until}
      </div>
    </>
  )
}

export const readWindow = (values: FormValues) => ({
  title: values.text('title'),
  effect: values.text('effect') as MaintenanceEffect,
  startsAt: fromLocal(values.text('startsAt'))!,
  endsAt: fromLocal(values.text('endsAt'))!,
})
