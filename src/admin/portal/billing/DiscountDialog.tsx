import type { DiscountScope } from '../../../billing/states.ts'
import { SelectField, TextField } from '../../../portal/ui/Field.tsx'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { dayFromNow, DISCOUNT_PATTERN, readDecimal } from './money-words.ts'

const SCOPES = [
  { value: 'ALL', label: 'Everything that runs' },
  { value: 'ROUTERS', label: 'Routers and their addresses' },
  { value: 'TRANSIT', label: 'IP transit' },
]

export const DiscountDialog = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <DeedDialog
    title="Give discount"
    action="Give discount"
    consequences={[
      'It lessens what runs from now on, not fees. For a part of a month it lessens that part.',
      'Without a day on which it ends it goes on until you end it; what it has lessened by then stays.',
    ]}
    done="The discount is given"
    onClose={onClose}
    act={(reason, values, submission) => {
      const ends = values.text('endsAt')
      return money.call['POST /api/admin/users/{id}/discounts'](
        {
          params: { id },
          body: {
            reason,
            description: values.text('description'),
            percent: readDecimal(values.text('percent')),
            scope: values.text('scope') as DiscountScope,
            endsAt: ends === '' ? null : `${ends}T00:00:00Z`,
          },
        },
        submission,
      )
    }}
  >
    <TextField
      label="Percent"
      name="percent"
      required
      inputMode="decimal"
      pattern={DISCOUNT_PATTERN}
      hint="Up to 100, with at most two decimals"
    />
    <SelectField label="On" name="scope" choices={SCOPES} />
    <TextField
      label="Description"
      name="description"
      required
      maxLength={200}
      hint="The customer reads it on invoices."
    />
    <TextField label="Ends" name="endsAt" type="date" optional min={dayFromNow(1)} hint="At 00:00 UTC of that day" />
  </DeedDialog>
)
