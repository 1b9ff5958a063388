import { Figure, Figures } from '../../../portal/ui/Figure.tsx'
import type { Of } from './api.ts'
import { moneyText } from './money-words.ts'

/** What a month came to; while it runs, also what it will. */
export function RevenueTotals({
  of: { currency, accrued, projected },
}: {
  of: Pick<Of<'GET /api/admin/revenue'>, 'currency' | 'accrued' | 'projected'>
}) {
  return (
    <Figures>
      <Figure label="Earned" amount={moneyText(accrued, currency)} />
      {projected !== accrued && <Figure label="Projected" amount={moneyText(projected, currency)} />}
    </Figures>
  )
}
