import { DataTable } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { lineColumns, lineKey } from '../InvoiceBody.tsx'
import type { CustomerBilling } from './api.ts'
import { moneyText, monthName } from './money-labels.ts'
import { Stat, Stats } from '../../../ui/components/Stat.tsx'

/** Shows what the next invoice would contain if the month ended now. */
export function CustomerCharges({ billing: { overview } }: { billing: CustomerBilling }) {
  const { currency, month } = overview
  return (
    <Section
      title={`Charges of ${monthName(month.from)}`}
      summary="By line, before tax, if the month ended now."
      actions={
        <Stats>
          <Stat label="Accrued" amount={moneyText(month.accrued, currency)} />
          <Stat label="Projected" amount={moneyText(month.projected, currency)} />
        </Stats>
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
