import { Stat, Stats } from '../../../ui/components/Stat.tsx'
import type { Of } from './api.ts'
import { moneyText } from './money-labels.ts'

/** What a month came to; while it runs, also what it will. */
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
