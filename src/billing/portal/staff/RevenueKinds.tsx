import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { UsageBar } from '../../../ui/components/UsageBar.tsx'
import { revenueOf, type Of } from './api.ts'
import { KIND_LABELS } from './money-labels.ts'
import { RevenueTotals } from './RevenueTotals.tsx'
import { Money } from '../Money.tsx'

type Kind = Of<'GET /api/admin/revenue'>['kinds'][number]

/** Breaks a month down by kind. */
export function RevenueKinds({ month }: { month: string }) {
  const revenue = useSuspenseQuery(revenueOf(month)).data
  const { currency, projected, kinds } = revenue
  return (
    <Section title="Breakdown" actions={<RevenueTotals of={revenue} />}>
      <DataTable
        label="Revenue by kind"
        columns={columns(currency, projected)}
        rows={kinds}
        rowKey={(one) => one.kind}
        empty={<EmptyState title="No revenue this month">No routers ran and nothing else was charged.</EmptyState>}
      />
    </Section>
  )
}

const columns = (currency: string, all: number): readonly Column<Kind>[] => [
  { id: 'kind', header: 'Kind', cell: ({ kind }) => KIND_LABELS[kind] },
  {
    id: 'share',
    header: 'Share',
    wideOnly: true,
    cell: ({ kind, projected }) =>
      projected > 0 && all > 0 ? (
        <UsageBar used={projected / all} label={`Share of ${KIND_LABELS[kind]}`} calm />
      ) : null,
  },
  {
    id: 'accrued',
    header: 'Earned',
    align: 'right',
    cell: ({ accrued }) => <Money amount={accrued} currency={currency} />,
  },
  {
    id: 'projected',
    header: 'Projected',
    align: 'right',
    cell: ({ projected }) => <Money amount={projected} currency={currency} />,
  },
]
