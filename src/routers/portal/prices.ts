import { formatMoney } from '../../kernel/money.ts'
import type { Catalogue } from '../contract.ts'

export type Plan = Catalogue['plans'][number]

export const hourly = (plan: Plan, currency: string): string =>
  `${formatMoney({ amount: plan.hourlyPrice, currency })} per hour`
export const monthly = (plan: Plan, currency: string): string => formatMoney({ amount: plan.monthlyPrice, currency })

/** Returns what a router of the plan costs with the addresses that every router has, itemized. `taxRate` in percent. */
export function orderPrice(
  plan: Plan,
  { addresses, currency }: Pick<Catalogue, 'addresses' | 'currency'>,
  taxRate = 0,
) {
  const total = (price: 'hourlyPrice' | 'monthlyPrice') =>
    addresses.reduce((sum, address) => sum + address[price], plan[price])
  const written = (amount: number) => formatMoney({ amount, currency })
  return {
    monthly: written(total('monthlyPrice')),
    monthlyWithTax: written(total('monthlyPrice') + Math.round((total('monthlyPrice') * taxRate) / 100)),
    hourly: written(total('hourlyPrice')),
    setUp: plan.setupPrice > 0 ? written(plan.setupPrice) : null,
    parts: [
      `${plan.name} ${written(plan.monthlyPrice)}`,
      ...addresses.map(({ family, monthlyPrice }) => `IPv${family} address ${written(monthlyPrice)}`),
    ],
  }
}

/** Returns what the cheapest router costs with the addresses that every router has; null while none can be ordered. */
export function cheapestRouter(offer: Catalogue): string | null {
  if (!offer.sites.some(({ available }) => available) || offer.images.length === 0) return null
  const plan = offer.plans.toSorted((a, b) => a.monthlyPrice - b.monthlyPrice || a.setupPrice - b.setupPrice)[0]
  if (!plan) return null
  const { monthly: month, setUp } = orderPrice(plan, offer)
  return `From ${month} per month before tax, billed by the hour${setUp === null ? '' : `, plus ${setUp} for setup`}.`
}
