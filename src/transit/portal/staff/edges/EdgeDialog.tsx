import { useSuspenseQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../../ui/components/choices.tsx'
import { TextField } from '../../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../../ui/components/Form.tsx'
import type { AdminEdge } from '../../../contract.ts'
import { edges, staffTransit } from '../api.ts'
import { sites } from '../../../../routers/portal/staff/api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../../ui/staff/ShortNameField.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'

/** `edge`: the edge to change, or the suggested short name of a new one. */
export function EdgeDialog({ edge, onClose }: { edge: AdminEdge | string; onClose: () => void }) {
  const before = typeof edge === 'string' ? null : edge
  const { data } = useSuspenseQuery(edges())
  // The only edge serves every site, so there is nothing to choose.
  const chooses = before === null || data.edges.length > 1
  const submit = async (values: FormValues, submission: Submission) => {
    const body = {
      name: values.text('name'),
      bgpIdentifier: values.text('bgpIdentifier') || null,
      ...(chooses && { sites: values.all('sites').map(Number) }),
    }
    await (before
      ? staffTransit.call['PATCH /api/admin/edges/{id}']({ params: { id: before.id }, body }, submission)
      : staffTransit.call['POST /api/admin/edges']({ body: { ...body, slug: values.text('slug') } }, submission))
    await rereadStaff()
  }
  return (
    <FormDialog
      title={before ? `Change ${before.name}` : 'Add an edge'}
      action={before ? 'Change edge' : 'Add edge'}
      onClose={onClose}
      onSubmit={submit}
    >
      {typeof edge === 'string' && (
        <ShortNameField knownBy="its agent is started with it (EDGE_NAME)" placeholder="fra1-edge1" proposed={edge} />
      )}
      <TextField
        label="Name"
        name="name"
        required
        maxLength={80}
        defaultValue={before?.name ?? ''}
        placeholder="Frankfurt 1"
        hint="Shown to customers of its sites."
      />
      <TextField
        label="BGP identifier"
        name="bgpIdentifier"
        required={before === null}
        maxLength={15}
        defaultValue={before?.bgpIdentifier ?? ''}
        placeholder="192.0.2.1"
        hint={`EDGE_ROUTER_ID of its agent. No other edge can claim it.${before ? ' Empty: what its agent said first.' : ''}`}
      />
      {chooses && <SiteChoices edge={before} all={data.edges} />}
    </FormDialog>
  )
}

function SiteChoices({ edge, all }: { edge: AdminEdge | null; all: readonly AdminEdge[] }) {
  const { data } = useSuspenseQuery(sites())
  const servedBy = (id: number) => all.find((one) => one.sites.some((site) => site.id === id))
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Sites served</legend>
      <p className="text-xs text-faint">
        Sites whose gateway addresses are on this edge. Customers of a site move with it and lose transit for a few
        seconds.
      </p>
      {data.map(({ id, name }) => {
        const now = servedBy(id)
        return (
          <Checkbox
            key={id}
            name="sites"
            value={id}
            label={name}
            defaultChecked={edge !== null && now?.id === edge.id}
            hint={now ? (now.id === edge?.id ? undefined : `Served by ${now.name}`) : 'No edge serves it'}
          />
        )
      })}
    </fieldset>
  )
}
