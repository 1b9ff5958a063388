import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/components/Button.tsx'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import type { Catalogue } from '../contract.ts'
import { planSize } from './plan-size.ts'
import { orderPrice, type Plan } from './prices.ts'

/** Shows the order and its button, in reach wherever the form is scrolled to. */
export function OrderBar({
  plan,
  offer,
  busy,
  taxRate,
  paymentIssue,
  extra,
  onAddPaymentMethod,
}: {
  plan: Plan | undefined
  offer: Pick<Catalogue, 'addresses' | 'currency'>
  busy: boolean
  /** Percent; null while unknown. */
  taxRate: number | null
  /** Why the account cannot be charged. */
  paymentIssue: string | null
  /** What is charged besides the router; null: nothing. */
  extra: string | null
  onAddPaymentMethod: () => void
}) {
  const price = plan && orderPrice(plan, offer, taxRate ?? 0)
  return (
    <div
      data-bar
      className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-canvas px-4 py-3 max-md:bottom-14 max-md:-mb-10 md:-mx-8 md:-mb-12 md:px-8"
    >
      <div className="grid max-w-3xl gap-3">
        {paymentIssue && (
          <Callout
            tone="warn"
            title="You can’t order yet"
            alert
            action={
              <Button size="sm" changes onClick={onAddPaymentMethod}>
                Add payment method
              </Button>
            }
          >
            {paymentIssue}
          </Callout>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <output className="min-w-0 text-sm" aria-label="Summary">
            {price ? (
              <>
                <span className="text-base font-semibold">{price.monthly} per month at most</span>
                <span className="text-dim">
                  {' '}
                  {taxRate === 0 ? 'without VAT' : 'before tax'}
                  {taxRate !== null && taxRate > 0 && ` (${price.monthlyWithTax} with ${taxRate} % VAT)`},{' '}
                  {price.hourly} per hour{price.setUp && `, ${price.setUp} setup once`}
                </span>
                {extra && <span className="block">plus {extra}</span>}
                <span className="block text-xs text-faint">
                  {price.parts.join(' + ')}; {planSize(plan)}, one IPv4 and one IPv6 address
                </span>
              </>
            ) : (
              <span className="text-dim">Choose a plan to see its price.</span>
            )}
          </output>
          {/* The order comes first: it gets the focus when the callout above is gone. */}
          <div className="flex flex-row-reverse gap-2 max-sm:w-full">
            <Button type="submit" variant="primary" busy={busy} className="max-sm:flex-1">
              Create router
            </Button>
            <Link to="/" className={buttonClass('plain', 'md', 'max-sm:flex-1')}>
              Cancel
            </Link>
          </div>
        </div>
      </div>
    </div>
  )
}
