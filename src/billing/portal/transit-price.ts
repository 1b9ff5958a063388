import { formatMoney } from '../../kernel/money.ts'
import type { TransitConnection } from '../../transit/contract.ts'
import { bitRate } from '../../ui/components/quantity.ts'
import type { TransitUsageToDate } from '../contract.ts'
import { money } from './billing-labels.ts'

type Terms = TransitUsageToDate['segments'][number]['terms']

/** Returns what IP transit costs before tax, for an order; null if nothing is charged for it. */
export function transitPrice(
  setup: TransitConnection['setup'],
  terms: Terms | undefined,
  currency: string,
): string | null {
  const parts = setup && !setup.charged ? [`${formatMoney(setup)} setup once`] : []
  if (terms && terms.overagePrice > 0) {
    const { number, unit } = bitRate(terms.commitBps)
    const charge = terms.commitPrice > 0 ? `for ${money(terms.commitPrice, currency)} a month` : 'included'
    parts.push(`${number} ${unit} ${charge}, then ${money(terms.overagePrice, currency)} per Mbit/s`)
  }
  return parts.length === 0 ? null : `IP transit: ${parts.join('; ')}`
}
