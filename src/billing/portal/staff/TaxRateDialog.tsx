import { useQueryClient } from '@tanstack/react-query'
import { countryName } from '../../../kernel/country.ts'
import { CountryField } from '../../../ui/components/CountryField.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { money, taxRates, type TaxRate } from './api.ts'
import { PERCENT_PATTERN, readDecimal } from './money-labels.ts'

/** Edits a rate and its source. Saving confirms that the user has looked it up. */
export function TaxRateDialog({ rate, onClose }: { rate: TaxRate | null; onClose: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues, submission: Submission) => {
    const body = {
      country: rate?.country ?? values.text('country'),
      effectiveFrom: rate?.effectiveFrom ?? values.text('effectiveFrom'),
      percent: readDecimal(values.text('percent')),
      source: values.text('source'),
    }
    await money.call[`${rate ? 'PUT' : 'POST'} /api/admin/billing/tax_rates`]({ body }, submission)
    await queries.invalidateQueries({ queryKey: taxRates().queryKey })
  }
  return (
    <FormDialog
      title={rate ? `Rate for ${countryName(rate.country)} from ${rate.effectiveFrom}` : 'Add rate'}
      action={rate ? 'Confirm rate' : 'Add rate'}
      onClose={onClose}
      onSubmit={save}
    >
      {!rate && (
        <div className="grid gap-4 sm:grid-cols-2">
          <CountryField label="Country" name="country" required />
          <TextField label="From" name="effectiveFrom" type="date" required />
        </div>
      )}
      <TextField
        label="Percent"
        name="percent"
        required
        inputMode="decimal"
        pattern={PERCENT_PATTERN}
        defaultValue={rate ? String(rate.percent) : ''}
      />
      <TextField
        label="Source"
        name="source"
        required
        maxLength={200}
        hint="Where you found it: a law, or a tax authority page and its date. Saved with your name and today’s date."
        defaultValue={rate?.confirmedOn ? (rate.source ?? '') : ''}
      />
    </FormDialog>
  )
}
