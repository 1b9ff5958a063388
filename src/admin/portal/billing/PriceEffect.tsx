import { Callout } from '../../../portal/ui/Callout.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { fullName } from '../person.ts'
import type { Of } from './api.ts'
import { moneyText, monthName } from './money-words.ts'

type Effect = Of<'POST /api/admin/prices/preview'>

/** Whom a price touches and what it changes, said before it is set. */
export function PriceEffect({ effect }: { effect: Effect }) {
  const { customers, before, after, currency, raises, noticeDays, earliest, month } = effect
  const change = after - before
  const title =
    customers === 0
      ? 'No customers have this now'
      : `${customers} ${customers === 1 ? 'customer has' : 'customers have'} this now: ${signed(change, currency)} per month`
  return (
    <Callout tone={raises && customers > 0 ? 'warn' : 'info'} title={title} alert>
      {customers > 0 && (
        <p>
          In {monthName(month)}, with their current usage, they would pay{' '}
          <span className="num">{moneyText(after, currency)}</span> instead of{' '}
          <span className="num">{moneyText(before, currency)}</span>, before tax.
        </p>
      )}
      {effect.most.length > 0 && (
        <ul className="mt-1.5">
          {effect.most.map((one) => (
            <li key={one.user.id} className="flex justify-between gap-4">
              <span>{fullName(one.user)}</span>
              <span className="num">{signed(one.after - one.before, currency)}</span>
            </li>
          ))}
          {customers > effect.most.length && <li className="text-faint">and {customers - effect.most.length} more</li>}
        </ul>
      )}
      {raises && (
        <p className="mt-1.5">
          This is a price increase. Affected customers are notified by email
          {customers > 0 ? (
            <>
              {' '}
              {noticeDays} days in advance, so the earliest start is <Time at={earliest} as="utc-day" />.
            </>
          ) : (
            ', including those who order before it takes effect.'
          )}
        </p>
      )}
    </Callout>
  )
}

/** Nobody has what is charged once: it is a price of what comes. */
export const OnceEffect = ({ product }: { product: string }) => (
  <Callout tone="info" title="Existing charges do not change" alert>
    {product.startsWith('fee:')
      ? 'Staff charge this price from that date.'
      : 'Applies to new orders from that date. Earlier orders keep the price they were placed at.'}
  </Callout>
)

const signed = (amount: number, currency: string): string => `${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`
