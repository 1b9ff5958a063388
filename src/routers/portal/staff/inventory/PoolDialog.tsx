import { useSuspenseQuery } from '@tanstack/react-query'
import { SelectField, TextField } from '../../../../ui/components/Field.tsx'
import { sites, staffRouters } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'

const FAMILIES = [
  { version: 4, prefix: '198.51.100.0/24', gateway: '198.51.100.1', lengths: '/8 to /30' },
  { version: 6, prefix: '2001:db8:200::/64', gateway: '2001:db8:200::1', lengths: '/32 to /96' },
] as const

export function PoolDialog({ onClose }: { onClose: () => void }) {
  const { data } = useSuspenseQuery(sites())
  return (
    <FormDialog
      title="Add an address pool"
      action="Add address pool"
      onClose={onClose}
      onSubmit={async (values, submission) => {
        const names = ['site', 'prefix4', 'gateway4', 'prefix6', 'gateway6'] as const
        const body = Object.fromEntries(names.map((name) => [name, values.text(name)])) as Record<
          (typeof names)[number],
          string
        >
        await staffRouters.call['POST /api/admin/address_pools']({ body }, submission)
        await rereadStaff()
      }}
    >
      <SelectField
        label="Site"
        name="site"
        required
        choices={data.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      {FAMILIES.map(({ version, prefix, gateway, lengths }) => (
        <div key={version} className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={`IPv${version} prefix`}
            name={`prefix${version}`}
            mono
            required
            maxLength={50}
            placeholder={prefix}
            hint={`${lengths}. Must not overlap another pool.`}
          />
          <TextField
            label={`IPv${version} gateway`}
            name={`gateway${version}`}
            mono
            required
            maxLength={50}
            placeholder={gateway}
            hint="The edge’s address in this segment."
          />
        </div>
      ))}
      <p className="text-sm text-dim">A pool can’t be renumbered or removed later. It can be closed.</p>
    </FormDialog>
  )
}
