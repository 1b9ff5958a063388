import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import type { InvoiceLine } from '../../../billing/contract.ts'
import type { CustomerBilling } from './api.ts'
import { moneyText, monthName, quantityText } from './money-words.ts'
import { Figure } from './RevenueKinds.tsx'

/** What the next invoice would say if the month ended now. */
export function CustomerCharges({ billing: { overview } }: { billing: CustomerBilling }) {
  const { currency, month } = overview
  return (
    <Section
      title={`Charges of ${monthName(month.from)}`}
      summary="By line, before tax: what the invoice would say if the month ended now."
      actions={
        <dl className="flex gap-6 text-right">
          <Figure label="Accrued" amount={moneyText(month.accrued, currency)} />
          <Figure label="Projected" amount={moneyText(month.projected, currency)} />
        </dl>
      }
    >
      <DataTable
        label="Charges of this cycle"
        columns={columns(currency)}
        rows={month.lines}
        rowKey={(line) => `${line.kind} ${line.subject} ${line.description}`}
        empty={
          <EmptyState title="Nothing is charged">Nothing ran in this month, or it is on an invoice already.</EmptyState>
        }
      />
    </Section>
  )
}

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
    cell: (line) => <span className="num">{moneyText(line.amount, currency)}</span>,
  },
]
