import { notify } from '../../../portal/notifications.ts'
import { TextField } from '../../../portal/ui/Field.tsx'
import type { FormValues, Submission } from '../../../portal/ui/Form.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { ShortNameField } from '../ShortNameField.tsx'
import { money } from './api.ts'
import { MoneyField } from './MoneyField.tsx'
import { parseMoney } from './money-words.ts'

/** A fee with a name and a first price, from now on. */
export function FeeDialog({ currency, onClose }: { currency: string; onClose: () => void }) {
  const create = async (values: FormValues, submission: Submission) => {
    const body = {
      slug: values.text('slug'),
      name: values.text('name'),
      oncePrice: parseMoney(values.text('oncePrice'), currency) ?? 0,
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
        name="oncePrice"
        required
        price
        aboveZero
        currency={currency}
        hint="Each time staff charge it"
      />
    </FormDialog>
  )
}
