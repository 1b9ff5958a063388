import { TextField } from '../../../portal/ui/Field.tsx'
import type { Site } from '../../../routers/stock/contract.ts'
import { staff } from '../api.ts'
import { FormDialog } from '../FormDialog.tsx'
import { ShortNameField } from '../ShortNameField.tsx'
import { rereadStaff } from '../use-deed.ts'

export const SiteDialog = ({ site, onClose }: { site: Site | null; onClose: () => void }) => (
  <FormDialog
    title={site ? `Rename ${site.name}` : 'Add a site'}
    action={site ? 'Rename site' : 'Add site'}
    onClose={onClose}
    onSubmit={async (values, submission) => {
      const name = values.text('name')
      await (site
        ? staff.call['PATCH /api/admin/sites/{id}']({ params: { id: site.id }, body: { name } }, submission)
        : staff.call['POST /api/admin/sites']({ body: { slug: values.text('slug'), name } }, submission))
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
