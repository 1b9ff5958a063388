import { Callout } from '../../../ui/components/Callout.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import type { Of } from './api.ts'
import { moneyText, monthName } from './money-labels.ts'
import { Money } from '../Money.tsx'

type Impact = Of<'POST /api/admin/prices/preview'>

/** Shows which customers a price affects and how, before it is set. */
export function PriceImpact({ impact }: { impact: Impact }) {
  const { customers, before, after, currency, raises, noticeDays, earliest, month } = impact
  const change = after - before
  const title =
    customers === 0
      ? 'No customers have this now'
      : `${customers} ${customers === 1 ? 'customer has' : 'customers have'} this now: ${change === 0 ? 'no change' : `${signed(change, currency)} per month`}`
  return (
    <Callout tone={raises && customers > 0 ? 'warn' : 'info'} title={title} alert>
      {customers > 0 && (
        <p>
          In {monthName(month)}, with their current usage, they would pay <Money amount={after} currency={currency} />{' '}
          instead of <Money amount={before} currency={currency} />, before tax.
        </p>
      )}
      {impact.most.length > 0 && (
        <ul className="mt-1.5">
          {impact.most.map((one) => (
            <li key={one.user.id} className="flex justify-between gap-4">
              <span>{fullName(one.user)}</span>
              <span className="num whitespace-nowrap">{signed(one.after - one.before, currency)}</span>
            </li>
          ))}
          {customers > impact.most.length && <li className="text-faint">and {customers - impact.most.length} more</li>}
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

/** A one-off fee has no current customers: it only applies to future events. */
export const FeePriceImpact = ({ product }: { product: string }) => (
  <Callout tone="info" title="Existing charges do not change" alert>
    {product.startsWith('fee:')
      ? 'Staff charge this price from that date.'
      : 'Applies to new orders from that date. Earlier orders keep the price they were placed at.'}
  </Callout>
)

const signed = (amount: number, currency: string): string => `${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`
