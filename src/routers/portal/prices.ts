import { formatMoney } from '../../kernel/money.ts'
import type { Catalogue } from '../contract.ts'

export type Plan = Catalogue['plans'][number]

export const hourly = (plan: Plan, currency: string): string =>
  `${formatMoney({ amount: plan.hourlyPrice, currency })} an hour`
export const monthly = (plan: Plan, currency: string): string => formatMoney({ amount: plan.monthlyPrice, currency })

/** What comes to the price of a plan: its set-up, once, and the addresses that every router has. */
export const besides = (plan: Plan, { addresses, currency }: Pick<Catalogue, 'addresses' | 'currency'>): string[] => [
  ...(plan.setupPrice > 0 ? [`${formatMoney({ amount: plan.setupPrice, currency })} set-up, once`] : []),
  ...addresses.map(
    ({ family, monthlyPrice }) => `IPv${family} address ${formatMoney({ amount: monthlyPrice, currency })} a month`,
  ),
]

/** The one to start a sentence about prices with; null while nothing is for sale. */
export const cheapest = ({ plans }: Pick<Catalogue, 'plans'>): Plan | null =>
  plans.reduce<Plan | null>(
    (least, plan) => (least === null || plan.monthlyPrice < least.monthlyPrice ? plan : least),
    null,
  )
