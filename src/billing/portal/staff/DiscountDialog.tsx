import type { DiscountScope } from '../../states.ts'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { dayFromNow, DISCOUNT_PATTERN, readDecimal } from './money-labels.ts'

const SCOPES = [
  { value: 'ALL', label: 'Routers, addresses and IP transit' },
  { value: 'ROUTERS', label: 'Routers and addresses' },
  { value: 'TRANSIT', label: 'IP transit' },
]

export const DiscountDialog = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <ActionDialog
    title="Add discount"
    action="Add discount"
    consequences={[
      'Reduces charges while it applies, starting now. Usage before and after is charged at full price.',
      'Monthly caps are applied first. One-time fees are not discounted.',
      'If several discounts apply, the largest is taken first and each further one from the remainder.',
      'Without an end date it applies until you end it. Reductions so far are kept.',
    ]}
    done="Discount added"
    onClose={onClose}
    onSubmit={(reason, values, submission) => {
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
      hint="Up to 100, with up to two decimals"
    />
    <SelectField label="On" name="scope" choices={SCOPES} />
    <TextField
      label="Description"
      name="description"
      required
      maxLength={200}
      hint="Shown to the customer on invoices."
    />
    <TextField label="Ends" name="endsAt" type="date" optional min={dayFromNow(1)} hint="At 00:00 UTC on that day" />
  </ActionDialog>
)
