import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney } from '../../kernel/money.ts'
import type { Column } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { DownloadLink } from '../../ui/components/DownloadLink.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { ManagedTable, type Selection } from '../../ui/table/ManagedTable.tsx'
import type { Invoice } from '../contract.ts'
import { invoices } from './api.ts'
import { invoiceState, monthName } from './billing-labels.ts'
import { InvoiceDialog } from './InvoiceDialog.tsx'
import { PayInvoice } from './PayInvoice.tsx'
import { actionsColumn } from '../../ui/components/actions-column.ts'
import { Money } from './Money.tsx'

/** Lists invoices, newest first. */
export function Invoices() {
  const { data } = useSuspenseQuery(invoices())
  const [shown, setShown] = useState<number | null>(null)
  const [now] = useState(() => new Date())
  const invoice = data.find((one) => one.id === shown)
  return (
    <Section title="Invoices" summary="Corrections are issued as credit notes.">
      <ManagedTable
        id="own-invoices"
        label="Invoices"
        columns={columns(now, setShown)}
        rows={data}
        firstRows={12}
        selection={SELECTION}
        rowKey={(one) => one.id}
        empty={<EmptyState title="No invoices yet">Your first invoice is issued at month end.</EmptyState>}
      />
      {invoice && <InvoiceDialog invoice={invoice} now={now} onClose={() => setShown(null)} />}
    </Section>
  )
}

const SELECTION: Selection<Invoice> = { nameOf: ({ number }) => number ?? 'the draft' }

const periodOf = ({ kind, periodStart }: Invoice): string =>
  kind === 'CREDIT_NOTE' ? 'Credit note' : monthName(periodStart)

const columns = (now: Date, onShow: (id: number) => void): readonly Column<Invoice>[] => [
  {
    id: 'number',
    header: 'Number',
    sort: (invoice) => invoice.number,
    csv: (invoice) => invoice.number ?? 'Draft',
    cell: (invoice) => (
      <button type="button" className="row-link num font-medium hover:underline" onClick={() => onShow(invoice.id)}>
        {invoice.number ?? 'Draft'}
      </button>
    ),
  },
  {
    id: 'period',
    header: 'For',
    sort: (invoice) => invoice.periodStart,
    csv: periodOf,
    cell: periodOf,
  },
  {
    id: 'status',
    header: 'Status',
    csv: (invoice) => invoiceState(invoice, now).label,
    cell: (invoice) => {
      const { tone, label, asks } = invoiceState(invoice, now)
      return (
        <StatusBadge tone={tone} note={asks === 'payment' && <Due at={invoice.dueAt} />}>
          {label}
        </StatusBadge>
      )
    },
  },
  {
    id: 'issued',
    header: 'Issued',
    wideOnly: true,
    sort: (invoice) => invoice.issuedAt,
    csv: (invoice) => invoice.issuedAt?.slice(0, 10),
    cell: (invoice) => <Time at={invoice.issuedAt} as="utc-day" />,
  },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    sort: (invoice) => invoice.total,
    csv: ({ total, currency }) => formatMoney({ amount: total, currency }),
    cell: (invoice) => <Money amount={invoice.total} currency={invoice.currency} />,
  },
  actionsColumn((invoice) => (
    <span className="relative z-1 -mr-2.5 inline-flex items-center justify-end gap-1">
      <PayInvoice invoice={invoice} asks={invoiceState(invoice, now).asks} />
      <DownloadLink
        variant="quiet"
        href={`/api/invoices/${invoice.id}.pdf`}
        label={`PDF of ${invoice.number ?? 'the draft'}`}
      >
        PDF
      </DownloadLink>
    </span>
  )),
]

const Due = ({ at }: { at: string | null }) => (
  <>
    due <Time at={at} as="utc-day" />
  </>
)
