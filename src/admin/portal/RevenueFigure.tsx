import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatMoney } from '../../kernel/money.ts'
import { Section } from '../../portal/ui/PageHeader.tsx'
import type { Dashboard } from './documents/dashboard.ts'
import type { ResultOf } from './graphql.ts'
import { passedOfMonth } from './month.ts'

/** What the month has earned of what it will have earned, against how much of the month has passed. */
export function RevenueFigure({ revenue: { accrued, projected } }: { revenue: ResultOf<typeof Dashboard>['revenue'] }) {
  const share = projected.amount > 0 ? Math.min(1, accrued.amount / projected.amount) : 0
  const [passed] = useState(() => passedOfMonth(new Date()))
  return (
    <Section
      title="Revenue this month"
      actions={
        <Link to="/admin/revenue" search={{}} className="text-sm font-medium text-accent hover:underline">
          By month, customer and line
        </Link>
      }
    >
      <div className="rounded-md border border-line bg-surface px-4 py-3">
        <dl className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <div className="flex items-baseline gap-2">
            <dt className="text-sm text-dim">Accrued</dt>
            <dd className="num text-xl font-semibold">{formatMoney(accrued)}</dd>
          </div>
          <div className="flex items-baseline gap-2">
            <dt className="text-sm text-dim">Projected</dt>
            <dd className="num text-xl font-semibold">{formatMoney(projected)}</dd>
          </div>
        </dl>
        <div aria-hidden className="relative mt-2 h-2 rounded-full bg-line">
          <div className="h-full rounded-full bg-accent-fill" style={{ width: `${share * 100}%` }} />
          <div className="absolute -inset-y-1 w-0.5 rounded-full bg-ink" style={{ left: `${passed * 100}%` }} />
        </div>
        <p className="mt-1.5 text-xs text-faint">
          {Math.round(share * 100)} % of the projection; the mark shows that {Math.round(passed * 100)} % of the month
          has passed.
        </p>
      </div>
    </Section>
  )
}
