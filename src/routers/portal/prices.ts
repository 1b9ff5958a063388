import { formatMoney } from '../../kernel/money.ts'
import type { Catalogue } from '../contract.ts'

export type Plan = Catalogue['plans'][number]

export const hourly = (plan: Plan, currency: string): string =>
  `${formatMoney({ amount: plan.hourlyPrice, currency })} per hour`
export const monthly = (plan: Plan, currency: string): string => formatMoney({ amount: plan.monthlyPrice, currency })

/** What a router of the plan costs with the addresses that every router has, and what that is made of. */
export function orderPrice(plan: Plan, { addresses, currency }: Pick<Catalogue, 'addresses' | 'currency'>) {
  const total = (price: 'hourlyPrice' | 'monthlyPrice') =>
    addresses.reduce((sum, address) => sum + address[price], plan[price])
  const written = (amount: number) => formatMoney({ amount, currency })
  return {
    monthly: written(total('monthlyPrice')),
    hourly: written(total('hourlyPrice')),
    setUp: plan.setupPrice > 0 ? written(plan.setupPrice) : null,
    parts: [
      `${plan.name} ${written(plan.monthlyPrice)}`,
      ...addresses.map(({ family, monthlyPrice }) => `IPv${family} address ${written(monthlyPrice)}`),
    ],
  }
}

/** The one to start a sentence about prices with; null while nothing is for sale. */
export const cheapest = ({ plans }: Pick<Catalogue, 'plans'>): Plan | null =>
  plans.reduce<Plan | null>(
    (least, plan) => (least === null || plan.monthlyPrice < least.monthlyPrice ? plan : least),
    null,
  )
