import type { Direction } from '../../../billing/states.ts'
import { ChoiceWithFields } from '../../../portal/ui/ChoiceWithFields.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import type { FormValues, Submission } from '../../../portal/ui/Form.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { money, type CustomerBilling } from './api.ts'
import { dayFromNow, parseMoney, readDecimal } from './money-words.ts'
import { PriceFields } from './PriceFields.tsx'

/** Terms for one customer from a day on, or the price list again. */
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
    <FormDialog title="Agree terms of IP transit" action="Agree terms" onClose={onClose} onSubmit={agree}>
      <ChoiceWithFields
        legend="From then on"
        name="what"
        defaultValue="agreed"
        fieldsOf="agreed"
        columns={2}
        options={[
          { value: 'agreed', label: 'Own terms', detail: 'They bind from the first day, used or not' },
          { value: 'list', label: 'The price list', detail: 'For what is used' },
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
        hint="At 00:00 UTC; a part of a month is charged for its part"
      />
    </FormDialog>
  )
}
