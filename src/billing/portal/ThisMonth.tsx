import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable } from '../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../portal/ui/EmptyState.tsx'
import { Figure, Figures } from '../../portal/ui/Figure.tsx'
import { Section } from '../../portal/ui/PageHeader.tsx'
import { overview } from './api.ts'
import { money, monthName } from './billing-words.ts'
import { FinalInvoice } from './FinalInvoice.tsx'
import { lineColumns, lineKey } from './InvoiceBody.tsx'

/** What the invoice would say if the month ended now. */
export function ThisMonth() {
  const { currency, month, balance } = useSuspenseQuery(overview()).data
  return (
    <Section
      title={monthName(month.from)}
      summary="What this month costs so far, before tax. The invoice comes when it is over."
      actions={
        <Figures>
          <Figure label="So far" amount={money(month.accrued, currency)} />
          <Figure label="At this rate" amount={money(month.projected, currency)} />
          {balance !== 0 && (
            <Figure label={balance > 0 ? 'Open' : 'In your favour'} amount={money(Math.abs(balance), currency)} />
          )}
        </Figures>
      }
    >
      <DataTable
        label="Charges of this month"
        columns={lineColumns(currency)}
        rows={month.lines}
        firstRows={20}
        rowKey={lineKey}
        empty={<EmptyState title="Nothing yet">Routers cost from the moment they first answer.</EmptyState>}
      />
      {month.lines.some(({ kind }) => kind === 'DISCOUNT') && (
        <p className="mt-2 text-sm text-dim">
          A discount reduces the charges for the time while it applies. Monthly caps are applied first. If several
          discounts apply, the largest is taken first and each further one from the remainder. One-time fees are not
          discounted.
        </p>
      )}
      {month.accrued > 0 && <FinalInvoice />}
    </Section>
  )
}
