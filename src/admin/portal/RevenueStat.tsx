import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { formatMoney } from '../../kernel/money.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { Revenue } from './documents/dashboard.ts'
import { passedOfMonth } from '../../billing/portal/staff/month.ts'

/** Shows the month's revenue so far against its projection, and how much of the month has passed. */
export function RevenueStat({
  revenue: { accrued, projected },
  line,
  children,
}: {
  revenue: Revenue
  /** The last and the current month, above the numbers. */
  line: ReactNode
  /** The chart. */
  children: ReactNode
}) {
  const share = projected.amount > 0 ? Math.min(1, accrued.amount / projected.amount) : 0
  const [passed] = useState(() => passedOfMonth(new Date()))
  return (
    <Section
      title="Revenue this month"
      actions={
        <Link to="/admin/revenue" search={{}} className="link text-sm">
          View revenue
        </Link>
      }
    >
      {line}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-2 max-lg:gap-y-2 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="flex flex-col rounded-md border border-line bg-surface px-4 py-3">
          <dl className="mb-4 flex flex-wrap justify-between gap-x-6 gap-y-1">
            <div>
              <dt className="text-sm font-medium">Accrued</dt>
              <dd className="num mt-0.5 text-2xl font-semibold tracking-[-0.015em]">{formatMoney(accrued)}</dd>
            </div>
            <div>
              <dt className="text-sm font-medium">Projected</dt>
              <dd className="num mt-0.5 text-2xl font-semibold tracking-[-0.015em] text-dim">
                {formatMoney(projected)}
              </dd>
            </div>
          </dl>
          <div aria-hidden className="relative mt-auto h-2 rounded-full bg-line">
            <div className="h-full rounded-full bg-accent-fill" style={{ width: `${share * 100}%` }} />
            <div className="absolute -inset-y-1 w-0.5 rounded-full bg-ink" style={{ left: `${passed * 100}%` }} />
          </div>
          <p className="mt-2.5 flex flex-wrap justify-between gap-x-4 text-xs text-faint">
            <span>{Math.floor(share * 100)} % of projected revenue</span>
            <span className="inline-flex items-center gap-1.5">
              <span aria-hidden className="h-3 w-0.5 rounded-full bg-ink" />
              {Math.floor(passed * 100)} % of the month
            </span>
          </p>
        </div>
        {children}
      </div>
    </Section>
  )
}
