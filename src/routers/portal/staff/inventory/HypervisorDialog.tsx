import { useSuspenseQuery } from '@tanstack/react-query'
import { SelectField, TextField } from '../../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../../ui/components/Form.tsx'
import type { InventoryHypervisor } from '../../../inventory/contract.ts'
import { sites, staffRouters } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../../ui/staff/ShortNameField.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'

const SIZES = [
  { name: 'cpus', label: 'CPUs', hint: 'Of the host.' },
  { name: 'memory', label: 'Memory, MiB', hint: 'Of the host.' },
  { name: 'disk', label: 'Disk, GiB', hint: 'Disk space available to routers.' },
] as const

/** `host`: the host to change, or the suggested short name of a new one. */
export function HypervisorDialog({ host, onClose }: { host: InventoryHypervisor | string; onClose: () => void }) {
  const before = typeof host === 'string' ? null : host
  const submit = async (values: FormValues, submission: Submission) => {
    const number = (name: string) => Number(values.text(name))
    const size = {
      ...(values.text('name') !== '' && { name: values.text('name') }),
      cpus: number('cpus'),
      memory: number('memory'),
      disk: number('disk'),
      cpuOvercommit: number('cpuOvercommit'),
      memoryReserve: values.text('memoryReserve') === '' ? null : number('memoryReserve'),
    }
    await (before
      ? staffRouters.call['PATCH /api/admin/hypervisors/{id}']({ params: { id: before.id }, body: size }, submission)
      : staffRouters.call['POST /api/admin/hypervisors'](
          { body: { ...size, slug: values.text('slug'), site: values.text('site') } },
          submission,
        ))
    await rereadStaff()
  }
  return (
    <FormDialog
      title={before ? `Change ${before.name}` : 'Add a hypervisor'}
      action={before ? 'Change hypervisor' : 'Add hypervisor'}
      onClose={onClose}
      onSubmit={submit}
    >
      {typeof host === 'string' && (
        <ShortNameField knownBy="its agent is started with it (HYPERVISOR)" placeholder="ams1-hv2" proposed={host} />
      )}
      <TextField
        label="Name"
        name="name"
        required={before !== null}
        maxLength={80}
        defaultValue={before?.name ?? ''}
        hint={before ? undefined : 'Shown to staff. Defaults to the short name.'}
      />
      {!before && <SiteSelect />}
      <div className="grid gap-4 sm:grid-cols-2">
        {SIZES.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            type="number"
            min={1}
            required
            defaultValue={before?.size[name] ?? ''}
            hint={hint}
          />
        ))}
        <TextField
          label="CPU overcommit"
          name="cpuOvercommit"
          type="number"
          min={1}
          max={16}
          step={0.01}
          required
          defaultValue={before?.cpuOvercommit ?? 4}
          hint="How many vCPUs each host CPU provides. Memory and disk are never overcommitted."
        />
        <TextField
          label="Reserved memory, MiB"
          name="memoryReserve"
          type="number"
          min={0}
          defaultValue={before?.memoryReserveSetting ?? ''}
          hint="Kept for the host. Leave empty for the larger of 1024 MiB and 5 %."
        />
      </div>
      {before && (
        <p className="text-sm text-dim">
          Reducing the size moves no routers. New ones are placed here only when there is capacity again.
        </p>
      )}
    </FormDialog>
  )
}

function SiteSelect() {
  const { data } = useSuspenseQuery(sites())
  return (
    <SelectField
      label="Site"
      name="site"
      required
      choices={data.map(({ slug, name }) => ({ value: slug, label: name }))}
      hint="It can’t be changed while routers run on this hypervisor."
    />
  )
}
