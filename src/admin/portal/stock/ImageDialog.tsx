import { SelectField, TextAreaField, TextField } from '../../../portal/ui/Field.tsx'
import type { StockImage } from '../../../routers/stock/contract.ts'
import { staff } from '../api.ts'
import { FormDialog } from '../FormDialog.tsx'
import { ShortNameField } from '../ShortNameField.tsx'
import { rereadStaff } from '../use-deed.ts'

export function ImageDialog({
  image,
  unoffered,
  onClose,
}: {
  image: StockImage | null
  /** What lies with the hypervisors and is not in the catalogue. */
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
          ? staff.call['PATCH /api/admin/images/{id}']({ params: { id: image.id }, body: words }, submission)
          : staff.call['POST /api/admin/images'](
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

/** One of those that lie there, else typed: the files may come later. */
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
