import type { Direction } from '../../states.ts'
import { ChoiceWithFields } from '../../../ui/components/ChoiceWithFields.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { money, type CustomerBilling } from './api.ts'
import { dayFromNow, parseMoney, readDecimal } from './money-labels.ts'
import { PriceFields } from './PriceFields.tsx'

/** Adds terms for one customer from a date, or returns the customer to the price list. */
export function TransitTermsDialog({
  id,
  currency,
  now,
  onClose,
}: {
  id: number
  currency: string
  now: CustomerBilling['contracts'][number] | undefined
  onClose: () => void
}) {
  const agree = async (values: FormValues, submission: Submission) => {
    const amount = (name: string) => parseMoney(values.text(name), currency) ?? 0
    const terms = {
      commitBps: Math.round(readDecimal(values.text('transit.commitBps')) * 1_000_000),
      commitPrice: amount('monthlyPrice'),
      overagePrice: amount('transit.overagePrice'),
      direction: values.text('transit.direction') as Direction,
    }
    const agreed = values.text('what') === 'agreed'
    const body = { effectiveFrom: values.text('effectiveFrom'), agreed, ...(agreed && terms) }
    await money.call['POST /api/admin/users/{id}/transit_contracts']({ params: { id }, body }, submission)
  }
  return (
    <FormDialog title="Add custom transit pricing" action="Add custom pricing" onClose={onClose} onSubmit={agree}>
      <ChoiceWithFields
        legend="Pricing"
        name="what"
        defaultValue="agreed"
        fieldsOf="agreed"
        columns={2}
        options={[
          { value: 'agreed', label: 'Custom', detail: 'The commit is charged from the first day, used or not' },
          { value: 'list', label: 'Standard', detail: 'Charged by usage' },
        ]}
      >
        <PriceFields
          product="transit"
          currency={currency}
          now={now?.agreed ? { hourlyPrice: 0, monthlyPrice: now.commitPrice, transit: now } : undefined}
        />
      </ChoiceWithFields>
      <TextField
        label="From"
        name="effectiveFrom"
        type="date"
        required
        defaultValue={dayFromNow(1)}
        hint="At 00:00 UTC. Partial months are prorated."
      />
    </FormDialog>
  )
}
