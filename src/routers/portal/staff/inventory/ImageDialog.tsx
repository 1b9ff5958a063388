import { SelectField, TextAreaField, TextField } from '../../../../ui/components/Field.tsx'
import type { InventoryImage } from '../../../inventory/contract.ts'
import { staffRouters } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { ShortNameField } from '../../../../ui/staff/ShortNameField.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'

export function ImageDialog({
  image,
  unoffered,
  onClose,
}: {
  image: InventoryImage | null
  /** Images at the hypervisors that are not in the catalogue. */
  unoffered: readonly { readonly name: string }[]
  onClose: () => void
}) {
  return (
    <FormDialog
      title={image ? `Edit ${image.name}` : 'Publish an image'}
      action={image ? 'Save image' : 'Publish image'}
      onClose={onClose}
      onSubmit={async (values, submission) => {
        const words = { name: values.text('name'), description: values.text('description') }
        await (image
          ? staffRouters.call['PATCH /api/admin/images/{id}']({ params: { id: image.id }, body: words }, submission)
          : staffRouters.call['POST /api/admin/images'](
              { body: { ...words, slug: values.text('slug'), source: values.text('source') } },
              submission,
            ))
        await rereadStaff()
      }}
    >
      {!image && <Source unoffered={unoffered} />}
      <TextField
        label="Name"
        name="name"
        required
        maxLength={80}
        defaultValue={image?.name ?? ''}
        hint="Shown to customers when they order."
      />
      {!image && <ShortNameField />}
      <TextAreaField
        label="Description"
        name="description"
        rows={2}
        required
        maxLength={300}
        defaultValue={image?.description ?? ''}
        hint="One sentence about its contents."
      />
    </FormDialog>
  )
}

/** Chosen from the files that hypervisors report, or typed: the files may come later. */
const Source = ({ unoffered }: { unoffered: readonly { readonly name: string }[] }) =>
  unoffered.length > 0 ? (
    <SelectField
      label="Files"
      name="source"
      required
      choices={unoffered.map(({ name }) => ({ value: name, label: name }))}
      hint="Image folders found on the hypervisors that are not published yet."
    />
  ) : (
    <TextField
      label="Files"
      name="source"
      mono
      required
      maxLength={128}
      hint="The folder’s name in IMAGE_DIR. No unpublished images were found there."
    />
  )
