import { notify } from '../../../ui/runtime/notifications.ts'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../ui/staff/ShortNameField.tsx'
import { money } from './api.ts'
import { MoneyField } from './MoneyField.tsx'
import { parseMoney } from './money-labels.ts'

/** Adds a fee with a name and a first price, effective now. */
export function FeeDialog({ currency, onClose }: { currency: string; onClose: () => void }) {
  const create = async (values: FormValues, submission: Submission) => {
    const body = {
      slug: values.text('slug'),
      name: values.text('name'),
      oneOffPrice: parseMoney(values.text('oneOffPrice'), currency) ?? 0,
    }
    await money.call['POST /api/admin/fees']({ body }, submission)
    notify({ type: 'success', title: `${body.name} is available`, body: '' })
  }
  return (
    <FormDialog title="Create fee" action="Create fee" onClose={onClose} onSubmit={create}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Fee name" name="name" required maxLength={60} hint="Shown to customers on the invoice" />
        <ShortNameField />
      </div>
      <MoneyField
        label="Price"
        name="oneOffPrice"
        required
        price
        aboveZero
        currency={currency}
        hint="Each time staff charge it"
      />
    </FormDialog>
  )
}
