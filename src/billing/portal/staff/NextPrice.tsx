import type { Price } from '../../contract.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { priceText, stateOf } from './price-labels.ts'

/** Shows the next scheduled price. */
export function NextPrice({ product, prices }: { product: string; prices: readonly Price[] }) {
  const next = prices
    .filter((price) => price.product === product && stateOf(price, prices) === 'to come')
    .toSorted((a, b) => a.effectiveFrom.localeCompare(b.effectiveFrom))[0]
  if (!next) return <EmptyValue />
  return (
    <span className="text-sm">
      <Time at={next.effectiveFrom} as="utc-day" />: <span className="num">{priceText(next)}</span>
    </span>
  )
}
