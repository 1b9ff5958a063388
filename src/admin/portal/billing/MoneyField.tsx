import { TextField, type TextFieldProps } from '../../../portal/ui/Field.tsx'
import { moneyPattern } from './money-words.ts'

/** An amount as people write it, its currency at the field's end. */
export const MoneyField = ({
  currency,
  ...field
}: Omit<TextFieldProps, 'trailing'> & { readonly currency: string }) => (
  <TextField
    {...field}
    inputMode="decimal"
    autoComplete="off"
    pattern={moneyPattern(currency)}
    trailing={<span className="pr-2 text-sm text-faint">{currency}</span>}
  />
)
