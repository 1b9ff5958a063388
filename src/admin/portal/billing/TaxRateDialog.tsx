import { explainFailure } from '../../../portal/explain-failure.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues } from '../../../portal/ui/Form.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { money, taxRates, type TaxRate } from './api.ts'

/** A rate with where it was read: who saves it has looked it up. */
export function TaxRateDialog({ rate, onClose }: { rate: TaxRate | null; onClose: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues) => {
    const body = {
      country: rate?.country ?? values.text('country'),
      effectiveFrom: rate?.effectiveFrom ?? values.text('effectiveFrom'),
      percent: Number(values.text('percent').replace(',', '.')),
      source: values.text('source'),
    }
    await money.call['PUT /api/admin/billing/tax_rates']({ body }, { notify: false })
    await queries.invalidateQueries({ queryKey: taxRates().queryKey })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={rate ? `Rate of ${rate.country} from ${rate.effectiveFrom}` : 'Add rate'}>
      <Form onSubmit={save} explain={explainFailure}>
        {({ busy }) => (
          <>
            {!rate && (
              <div className="grid gap-4 sm:grid-cols-2">
                <TextField label="Country" name="country" required maxLength={2} hint="Two letters, such as NL" />
                <TextField label="From" name="effectiveFrom" type="date" required />
              </div>
            )}
            <TextField
              label="Percent"
              name="percent"
              required
              inputMode="decimal"
              pattern="(100|\d{1,2}([.,]\d{1,2})?)"
              defaultValue={rate ? String(rate.percent) : ''}
            />
            <TextField
              label="Source"
              name="source"
              required
              maxLength={200}
              hint="Where you have read it: a law, a page of the tax authority and its date. Saved with your name and today."
              defaultValue={rate?.confirmedOn ? (rate.source ?? '') : ''}
            />
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" busy={busy}>
                Confirm rate
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}
