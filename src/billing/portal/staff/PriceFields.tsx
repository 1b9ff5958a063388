import type { Price } from '../../contract.ts'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import { MoneyField } from './MoneyField.tsx'
import { plainMoney } from './money-labels.ts'
import { isOneOff } from './price-labels.ts'

const DIRECTIONS = [
  { value: 'MAX', label: 'Larger direction of each 5-minute sample' },
  { value: 'SUM', label: 'Sum of both directions' },
  { value: 'SEPARATE', label: 'Each direction separately; the higher percentile is billed' },
]

const ONE_OFF_HINT = {
  router: 'Charged once per router, when it first comes online. 0 for none.',
  transit: 'Charged once per connection, when its first session comes up. 0 for none.',
  fee: 'Each time staff charge it',
} as const

interface PriceAmounts {
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  readonly oneOffPrice?: number | null
  readonly transit?: Price['transit']
}

/** The price fields of this product, filled in with the current price. */
export function PriceFields({
  product,
  currency,
  now,
}: {
  product: string
  currency: string
  now: PriceAmounts | undefined
}) {
  const money = (amount: number | undefined) => (amount === undefined ? '' : plainMoney(amount, currency))
  if (isOneOff(product)) {
    return (
      <MoneyField
        label="Price"
        name="oneOffPrice"
        required
        price
        currency={currency}
        hint={ONE_OFF_HINT[product.startsWith('fee:') ? 'fee' : product === 'setup:transit' ? 'transit' : 'router']}
        defaultValue={money(now?.oneOffPrice ?? undefined)}
      />
    )
  }
  if (product === 'transit') {
    return (
      <>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Commit"
            name="transit.commitBps"
            required
            inputMode="decimal"
            pattern={{ source: '\\d{1,7}([.,]\\d{1,3})?', takes: 'Must be a number of Mbit/s, such as 100 or 2.5.' }}
            trailing={<span className="pr-2 text-sm text-faint">Mbit/s</span>}
            defaultValue={now?.transit ? String(now.transit.commitBps / 1_000_000) : ''}
          />
          <MoneyField
            label="Commit price"
            name="monthlyPrice"
            required
            price
            currency={currency}
            hint="A month"
            defaultValue={money(now?.monthlyPrice)}
          />
        </div>
        <MoneyField
          label="Overage price"
          name="transit.overagePrice"
          required
          price
          currency={currency}
          hint="Per Mbit/s at the 95th percentile, per month"
          defaultValue={money(now?.transit?.overagePrice)}
        />
        <SelectField
          label="Measured"
          name="transit.direction"
          choices={DIRECTIONS}
          defaultValue={now?.transit?.direction ?? 'MAX'}
        />
      </>
    )
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <MoneyField
        label="Hourly price"
        name="hourlyPrice"
        required
        price
        currency={currency}
        hint="Per hour or part of an hour"
        defaultValue={money(now?.hourlyPrice)}
      />
      <MoneyField
        label="Monthly cap"
        name="monthlyPrice"
        required
        price
        currency={currency}
        hint="Maximum charge per month"
        defaultValue={money(now?.monthlyPrice)}
      />
    </div>
  )
}
