import { TextField } from '../../../ui/components/Field.tsx'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { dayFromNow } from './money-labels.ts'

export type DunningAction = 'pause' | 'resume' | 'lift'

const LABELS = {
  pause: {
    title: 'Pause dunning',
    action: 'Pause dunning',
    consequences: [
      'No further dunning steps until the end of the day you choose (UTC). The amount stays due and cards are still charged.',
      'Then dunning continues from the current step, one step a day until it has caught up.',
    ],
    done: 'Dunning is paused',
    days: 7,
  },
  resume: {
    title: 'Resume dunning',
    action: 'Resume dunning',
    consequences: ['Dunning continues from the current step. The next step is taken when it is due.'],
    done: 'Dunning resumed',
    days: null,
  },
  lift: {
    title: 'End suspension',
    action: 'End suspension',
    consequences: [
      'Sessions and routers come back within minutes, although a balance is outstanding. The customer is notified.',
      'Billing for running services resumes now.',
      'After the day you choose (UTC), dunning restarts at the last warning, one step a day.',
    ],
    done: 'Restoring services',
    days: 7,
  },
} as const

/** The dunning actions of staff, each with the day on which it ends automatically. */
export function DunningDialog({ id, action, onClose }: { id: number; action: DunningAction; onClose: () => void }) {
  const { days, ...words } = LABELS[action]
  return (
    <ActionDialog
      {...words}
      onClose={onClose}
      onSubmit={(reason, values, submission) => {
        const params = { id }
        if (action === 'resume') {
          return money.call['POST /api/admin/users/{id}/dunning/resume']({ params, body: { reason } }, submission)
        }
        const body = { reason, until: values.text('until') }
        return money.call[`POST /api/admin/users/{id}/dunning/${action}`]({ params, body }, submission)
      }}
    >
      {days !== null && (
        <TextField
          label="Until"
          name="until"
          type="date"
          required
          min={dayFromNow(0)}
          max={dayFromNow(90)}
          defaultValue={dayFromNow(days)}
        />
      )}
    </ActionDialog>
  )
}
