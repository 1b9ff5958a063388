import { Stat, Stats } from '../../../ui/components/Stat.tsx'
import type { Of } from './api.ts'
import { moneyText } from './money-labels.ts'

/** Shows the totals of a month; for the current month, also the projection. */
export function RevenueTotals({
  of: { currency, accrued, projected },
}: {
  of: Pick<Of<'GET /api/admin/revenue'>, 'currency' | 'accrued' | 'projected'>
}) {
  return (
    <Stats>
      <Stat label="Earned" amount={moneyText(accrued, currency)} />
      {projected !== accrued && <Stat label="Projected" amount={moneyText(projected, currency)} />}
    </Stats>
  )
}
