import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable, type Column } from '../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../portal/ui/EmptyState.tsx'
import { Section } from '../../portal/ui/PageHeader.tsx'
import type { InvoiceLine } from '../contract.ts'
import { overview } from './api.ts'
import { money, monthName, quantityText } from './billing-words.ts'

/** What the invoice would say if the month ended now. */
export function ThisMonth() {
  const { currency, month, balance } = useSuspenseQuery(overview()).data
  return (
    <Section
      title={monthName(month.from)}
      summary="What this month costs so far, before tax. The invoice comes when it is over."
      actions={
        <dl className="flex gap-6 text-right">
          <Figure label="So far" amount={money(month.accrued, currency)} />
          <Figure label="At this rate" amount={money(month.projected, currency)} />
          {balance !== 0 && (
            <Figure label={balance > 0 ? 'Open' : 'In your favour'} amount={money(Math.abs(balance), currency)} />
          )}
        </dl>
      }
    >
      <DataTable
        label="Charges of this month"
        columns={columns(currency)}
        rows={month.lines}
        rowKey={(line) => `${line.kind} ${line.subject} ${line.description}`}
        empty={<EmptyState title="Nothing yet">Routers cost from the moment they first answer.</EmptyState>}
      />
    </Section>
  )
}

const Figure = ({ label, amount }: { label: string; amount: string }) => (
  <div>
    <dt className="text-xs text-faint">{label}</dt>
    <dd className="num text-lg font-semibold">{amount}</dd>
  </div>
)

const columns = (currency: string): readonly Column<InvoiceLine>[] => [
  { id: 'description', header: 'For', cell: (line) => line.description },
  {
    id: 'quantity',
    header: 'Quantity',
    align: 'right',
    cell: (line) => <span className="num text-dim">{quantityText(line, currency)}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (line) => <span className="num">{money(line.amount, currency)}</span>,
  },
]
