import type { DiscountScope } from '../../../billing/states.ts'
import { SelectField, TextField } from '../../../portal/ui/Field.tsx'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { dayFromNow, DISCOUNT_PATTERN, readDecimal } from './money-words.ts'

const SCOPES = [
  { value: 'ALL', label: 'Routers, addresses and IP transit' },
  { value: 'ROUTERS', label: 'Routers and addresses' },
  { value: 'TRANSIT', label: 'IP transit' },
]

export const DiscountDialog = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <DeedDialog
    title="Give discount"
    action="Give discount"
    consequences={[
      'Reduces the charges for the time while it applies, starting now. Time before and after it costs the full price.',
      'A monthly cap is applied first, then spread over the time it covers. One-time fees are not discounted.',
      'If several discounts apply at once, the largest is taken first, and each other one from what is left.',
      'Without an end date it applies until you end it. Reductions up to that moment stay.',
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
