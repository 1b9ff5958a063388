import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { money } from './api.ts'
import { parseMoney } from './money-words.ts'
import { PriceFields } from './PriceFields.tsx'

/** A fee with a name and a first price, from now on. */
export function FeeDialog({ currency, onClose }: { currency: string; onClose: () => void }) {
  const create = async (values: FormValues, submission: Submission) => {
    const name = values.text('name')
    const body = {
      product: `fee:${values.text('slug')}`,
      name,
      oncePrice: parseMoney(values.text('oncePrice'), currency) ?? 0,
    }
    await money.call['POST /api/admin/prices']({ body }, submission)
    notify({ type: 'success', title: `${name} is on the list`, body: '' })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Create fee">
      <Form onSubmit={create} explain={explainFailure}>
        {({ busy }) => (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="Fee name"
                name="name"
                required
                maxLength={60}
                hint="What customers read on the invoice"
              />
              <TextField
                label="Short name"
                name="slug"
                mono
                required
                pattern="[a-z0-9\-]{1,40}"
                hint="Small letters, digits and hyphens; never changes"
              />
            </div>
            <PriceFields product="fee:new" currency={currency} now={undefined} />
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" busy={busy}>
                Create fee
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}
