import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/components/Button.tsx'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import type { Catalogue } from '../contract.ts'
import { planSize } from './plan-size.ts'
import { orderPrice, type Plan } from './prices.ts'

/** What is about to be bought and the button that buys it, in reach wherever the form is scrolled to. */
export function OrderBar({
  plan,
  offer,
  busy,
  paymentIssue,
}: {
  plan: Plan | undefined
  offer: Pick<Catalogue, 'addresses' | 'currency'>
  busy: boolean
  /** Why nobody can be charged. */
  paymentIssue: string | null
}) {
  const price = plan && orderPrice(plan, offer)
  return (
    <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-canvas px-4 py-3 max-md:bottom-14 max-md:-mb-10 md:-mx-8 md:-mb-12 md:px-8">
      <div className="grid max-w-3xl gap-3">
        {paymentIssue && (
          <Callout
            tone="warn"
            title="You can’t order yet"
            alert
            action={
              <Link to="/billing" target="_blank" className={buttonClass('plain', 'sm')}>
                Open Billing
              </Link>
            }
          >
            {paymentIssue} Billing opens in a new tab; your selection here is kept.
          </Callout>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <output className="min-w-0 text-sm" aria-label="Summary">
            {price ? (
              <>
                <span className="text-base font-semibold">{price.monthly} per month at most</span>
                <span className="text-dim">
                  {' '}
                  before tax, {price.hourly} per hour{price.setUp && `, ${price.setUp} set-up once`}
                </span>
                <span className="block text-xs text-faint">
                  {price.parts.join(' + ')}; {planSize(plan)}, one IPv4 and one IPv6 address
                </span>
              </>
            ) : (
              <span className="text-dim">Choose a plan to see its price.</span>
            )}
          </output>
          <div className="flex gap-2 max-sm:w-full">
            <Link to="/" className={buttonClass('plain', 'md', 'max-sm:flex-1')}>
              Cancel
            </Link>
            <Button type="submit" variant="primary" busy={busy} className="max-sm:flex-1">
              Create router
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}
