import { TextField } from '../../../../ui/components/Field.tsx'
import type { Site } from '../../../inventory/contract.ts'
import { staffRouters } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../../ui/staff/ShortNameField.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'

export const SiteDialog = ({ site, onClose }: { site: Site | null; onClose: () => void }) => (
  <FormDialog
    title={site ? `Rename ${site.name}` : 'Add a site'}
    action={site ? 'Rename site' : 'Add site'}
    onClose={onClose}
    onSubmit={async (values, submission) => {
      const name = values.text('name')
      await (site
        ? staffRouters.call['PATCH /api/admin/sites/{id}']({ params: { id: site.id }, body: { name } }, submission)
        : staffRouters.call['POST /api/admin/sites']({ body: { slug: values.text('slug'), name } }, submission))
      await rereadStaff()
    }}
  >
    <TextField
      label="Name"
      name="name"
      required
      maxLength={80}
      defaultValue={site?.name ?? ''}
      placeholder="Amsterdam 1"
      hint="Shown to customers when they order."
    />
    {!site && <ShortNameField knownBy="API clients use it" placeholder="ams1" />}
  </FormDialog>
)
