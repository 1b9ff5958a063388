import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import type { SiteContent } from '../../site-content/contract.ts'
import { CONTENT_FIELDS, type ContentField } from './content-fields.ts'

/** An input for one of the operator's texts. If it is empty, the product's default applies. */
export function ContentFieldInput({
  name,
  siteContent,
  placeholder,
}: {
  name: ContentField
  siteContent: SiteContent
  placeholder?: string
}) {
  const { kind, most, ...words } = CONTENT_FIELDS[name]
  const field = { ...words, name, optional: true, maxLength: most, defaultValue: siteContent[name] ?? '' }
  return kind === 'text' ? (
    <TextAreaField {...field} rows={2} />
  ) : (
    <TextField {...field} type={kind} placeholder={placeholder ?? 'https://…'} />
  )
}
