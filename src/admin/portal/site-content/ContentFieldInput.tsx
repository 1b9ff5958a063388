import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import type { SiteContent } from '../../site-content/contract.ts'
import { CONTENT_FIELDS, type ContentField } from './content-fields.ts'

/** One of the operator's own words; empty, the product's stand in its place. */
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
