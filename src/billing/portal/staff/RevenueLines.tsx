import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { revenueOf, type RevenueLine } from './api.ts'
import { KIND_LABELS, quantityText } from './money-labels.ts'
import { RevenueTotals } from './RevenueTotals.tsx'
import { Money } from '../Money.tsx'

/** Lists one customer's month by line, each with its invoice or credit note. */
export function RevenueLines({ month, user }: { month: string; user: number }) {
  const revenue = useSuspenseQuery(revenueOf(month, user)).data
  const { currency, lines } = revenue
  return (
    <Section title="Lines" actions={<RevenueTotals of={revenue} />}>
      <DataTable
        label="Lines"
        columns={columns(currency)}
        rows={lines}
        rowKey={(line) => `${line.invoice?.id} ${line.kind} ${line.subject} ${line.description}`}
        empty={<EmptyState title="No lines">This customer was not charged this month.</EmptyState>}
      />
    </Section>
  )
}

const columns = (currency: string): readonly Column<RevenueLine>[] => [
  { id: 'description', header: 'For', cell: (line) => line.description },
  {
    id: 'kind',
    header: 'Kind',
    wideOnly: true,
    cell: (line) => <span className="text-dim">{KIND_LABELS[line.kind]}</span>,
  },
  {
    id: 'document',
    header: 'Invoice',
    cell: ({ invoice }) =>
      invoice ? (
        <a href={`/api/admin/invoices/${invoice.id}.pdf`} download className="link num">
          {invoice.number ?? 'draft'}
        </a>
      ) : (
        <span className="text-faint">not invoiced yet</span>
      ),
  },
  {
    id: 'quantity',
    header: 'Quantity',
    align: 'right',
    wideOnly: true,
    cell: (line) => <span className="num text-dim">{quantityText(line, currency)}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (line) => <Money amount={line.amount} currency={currency} />,
  },
]
