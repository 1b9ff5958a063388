import { TextField } from '../../../portal/ui/Field.tsx'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { dayFromNow } from './money-words.ts'

export type DunningDeed = 'pause' | 'resume' | 'lift'

const WORDS = {
  pause: {
    title: 'Pause dunning',
    action: 'Pause dunning',
    consequences: [
      'Nothing gets worse up to the end of the day that you choose (UTC). The debt stays, and cards are still tried.',
      'Then it goes on where it stood, a step a day as far as the calendar has gone.',
    ],
    done: 'Dunning is paused',
    days: 7,
  },
  resume: {
    title: 'Resume dunning',
    action: 'Resume dunning',
    consequences: ['It goes on where it stood: the next step comes as soon as it is due.'],
    done: 'Dunning goes on',
    days: null,
  },
  lift: {
    title: 'End suspension',
    action: 'End suspension',
    consequences: [
      'Sessions open and routers start again within minutes, although something is open. The customer is told.',
      'What runs costs again from now on.',
      'After the day that you choose (UTC) dunning begins again at the last warning, a step a day.',
    ],
    done: 'Services are coming back',
    days: 7,
  },
} as const

/** The hand of staff on dunning, each with the day on which it ends by itself. */
export function DunningDialog({ id, deed, onClose }: { id: number; deed: DunningDeed; onClose: () => void }) {
  const { days, ...words } = WORDS[deed]
  return (
    <DeedDialog
      {...words}
      onClose={onClose}
      act={(reason, values, submission) => {
        const params = { id }
        if (deed === 'resume') {
          return money.call['POST /api/admin/users/{id}/dunning/resume']({ params, body: { reason } }, submission)
        }
        const body = { reason, until: values.text('until') }
        return money.call[`POST /api/admin/users/{id}/dunning/${deed}`]({ params, body }, submission)
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
    </DeedDialog>
  )
}
