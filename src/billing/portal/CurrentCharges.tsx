import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { Stat, Stats } from '../../ui/components/Stat.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { invoices, overview, paymentMethods } from './api.ts'
import { billInWords } from './bill-in-words.ts'
import { money, monthName } from './billing-labels.ts'
import { CostByDay } from './CostByDay.tsx'
import { FinalInvoice } from './FinalInvoice.tsx'
import { lineColumns, lineKey } from './InvoiceBody.tsx'

/** Shows what the invoice would contain if the month ended now. */
export function CurrentCharges() {
  const { data } = useSuspenseQuery(overview())
  const { data: methods } = useSuspenseQuery(paymentMethods())
  const { data: issued } = useSuspenseQuery(invoices())
  const { currency, month, balance } = data
  const before = issued.find(({ kind, periodEnd }) => kind === 'INVOICE' && periodEnd === month.from)
  const bill = billInWords(data, methods)
  return (
    <Section
      title={monthName(month.from)}
      summary={
        <>
          {bill && <span className="block font-medium text-ink">{bill}</span>}
          Charges so far, before tax. You’ll be invoiced at month end.
        </>
      }
      actions={
        <Stats>
          {before && <Stat label="Last month" amount={money(before.subtotal, currency)} />}
          <Stat label="Month to date" amount={money(month.accrued, currency)} />
          <Stat label="Projected" amount={money(month.projected, currency)} />
          {balance !== 0 && (
            <Stat label={balance > 0 ? 'Open' : 'Account credit'} amount={money(Math.abs(balance), currency)} />
          )}
        </Stats>
      }
    >
      {month.lines.length > 0 && (
        <div className="mb-3">
          <CostByDay />
        </div>
      )}
      <DataTable
        label="Charges of this month"
        columns={lineColumns(currency)}
        rows={month.lines}
        firstRows={20}
        rowKey={lineKey}
        empty={<EmptyState title="No charges yet">Billing starts when a router first comes online.</EmptyState>}
      />
      {month.lines.some(({ kind }) => kind === 'DISCOUNT') && (
        <p className="mt-2 text-sm text-dim">
          A discount reduces charges while it applies. Monthly caps are applied first. If several discounts apply, the
          largest is taken first and each further one from the remainder. One-time fees are not discounted.
        </p>
      )}
      {month.accrued > 0 && <FinalInvoice />}
    </Section>
  )
}
