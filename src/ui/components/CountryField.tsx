import { countryChoices } from './country-choices.ts'
import { SelectField, type FieldProps } from './Field.tsx'

/** A country, found by typing its name; sent as two letters of ISO 3166. */
export const CountryField = ({
  kept = null,
  required = false,
  ...field
}: FieldProps & {
  readonly kept?: string | null
  readonly required?: boolean
}) => (
  <SelectField
    {...field}
    required={required}
    autoComplete="country"
    defaultValue={kept ?? ''}
    choices={countryChoices(kept ?? '', required ? 'Select a country' : 'Not stated')}
  />
)
