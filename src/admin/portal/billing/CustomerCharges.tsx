import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { lineColumns, lineKey } from '../../../billing/portal/InvoiceBody.tsx'
import type { CustomerBilling } from './api.ts'
import { moneyText, monthName } from './money-words.ts'
import { Figure, Figures } from '../../../portal/ui/Figure.tsx'

/** What the next invoice would say if the month ended now. */
export function CustomerCharges({ billing: { overview } }: { billing: CustomerBilling }) {
  const { currency, month } = overview
  return (
    <Section
      title={`Charges of ${monthName(month.from)}`}
      summary="By line, before tax, if the month ended now."
      actions={
        <Figures>
          <Figure label="Accrued" amount={moneyText(month.accrued, currency)} />
          <Figure label="Projected" amount={moneyText(month.projected, currency)} />
        </Figures>
      }
    >
      <DataTable
        label="Charges of this cycle"
        columns={lineColumns(currency)}
        rows={month.lines}
        rowKey={lineKey}
        empty={<EmptyState title="No charges">Nothing ran this month, or it has already been invoiced.</EmptyState>}
      />
    </Section>
  )
}
