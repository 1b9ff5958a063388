import { TextField, type TextFieldProps } from '../../../ui/components/Field.tsx'
import { moneyPattern, type AmountBounds } from './money-labels.ts'

/** A decimal amount, with its currency at the end of the field. */
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
