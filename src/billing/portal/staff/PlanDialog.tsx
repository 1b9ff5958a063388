import { notify } from '../../../ui/runtime/notifications.ts'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../ui/staff/ShortNameField.tsx'
import { money } from './api.ts'
import { MoneyField } from './MoneyField.tsx'
import { parseMoney } from './money-labels.ts'
import { PriceFields } from './PriceFields.tsx'

const NOTHING_YET = undefined

/** Adds a plan with its first price, on sale immediately. */
export function PlanDialog({ currency, onClose }: { currency: string; onClose: () => void }) {
  const create = async (values: FormValues, submission: Submission) => {
    const whole = (name: string) => Number(values.text(name))
    const body = {
      slug: values.text('slug'),
      name: values.text('name'),
      cpus: whole('cpus'),
      memory: whole('memory'),
      diskSize: whole('diskSize'),
      hourlyPrice: parseMoney(values.text('hourlyPrice'), currency) ?? 0,
      monthlyPrice: parseMoney(values.text('monthlyPrice'), currency) ?? 0,
      setupPrice: parseMoney(values.text('setupPrice'), currency) ?? 0,
    }
    await money.call['POST /api/admin/plans']({ body }, submission)
    notify({ type: 'success', title: `${body.name} is now available`, body: '' })
  }
  return (
    <FormDialog title="Create plan" action="Create plan" onClose={onClose} onSubmit={create}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Plan name" name="name" required maxLength={60} hint="Shown to customers" />
        <ShortNameField />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="CPUs" name="cpus" type="number" required min={1} max={64} />
        <TextField label="Memory" name="memory" type="number" required min={64} max={1_048_576} hint="MiB" />
        <TextField label="Disk" name="diskSize" type="number" required min={1} max={65_536} hint="GiB" />
      </div>
      <PriceFields product="router:new" currency={currency} now={NOTHING_YET} />
      <MoneyField
        label="Setup"
        name="setupPrice"
        optional
        price
        currency={currency}
        hint="Charged once per router, when it first comes online"
      />
    </FormDialog>
  )
}
