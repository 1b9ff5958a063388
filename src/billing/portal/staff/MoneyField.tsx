import { TextField, type TextFieldProps } from '../../../ui/components/Field.tsx'
import { moneyPattern, type AmountBounds } from './money-labels.ts'

/** An amount as people write it, its currency at the field's end. */
export const MoneyField = ({
  currency,
  aboveZero = false,
  price = false,
  ...field
}: Omit<TextFieldProps, 'trailing'> & AmountBounds & { readonly currency: string }) => (
  <TextField
    {...field}
    inputMode="decimal"
    autoComplete="off"
    pattern={moneyPattern(currency, { aboveZero, price })}
    trailing={<span className="pr-2 text-sm text-faint">{currency}</span>}
  />
)
