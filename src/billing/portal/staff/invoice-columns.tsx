import type { Column } from '../../../ui/components/DataTable.tsx'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import type { ListedInvoice } from './api.ts'
import { isOverdue } from './invoice-search.ts'
import { FILTER_BADGE, moneyText, monthName } from './money-labels.ts'
import { Money } from '../Money.tsx'

type Row = Omit<ListedInvoice, 'user'>

/** Marks an open invoice that is overdue. */
export function InvoiceStatus({ invoice }: { invoice: Pick<Row, 'status' | 'dueAt' | 'kind'> }) {
  const overdue = isOverdue(invoice)
  const { tone, label } = FILTER_BADGE[overdue ? 'OVERDUE' : invoice.status]
  const note = invoice.status === 'OPEN' && (
    <>
      due <Time at={invoice.dueAt} as="utc-day" />
    </>
  )
  return (
    <StatusBadge tone={tone} note={note}>
      {invoice.kind === 'CREDIT_NOTE' ? 'Credit note' : label}
    </StatusBadge>
  )
}

export const documentColumns = <R extends Row>(onShow: (row: R) => void): readonly Column<R>[] => [
  {
    id: 'number',
    header: 'Number',
    cell: (invoice) => (
      <button type="button" className="row-link num whitespace-nowrap" onClick={() => onShow(invoice)}>
        {invoice.number ?? 'Draft'}
      </button>
    ),
  },
  { id: 'period', header: 'For', wideOnly: true, cell: (invoice) => monthName(invoice.periodStart) },
  { id: 'status', header: 'Status', cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { id: 'issued', header: 'Issued', wideOnly: true, cell: (invoice) => <Time at={invoice.issuedAt} as="utc-day" /> },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    cell: (invoice) => <Money amount={invoice.total} currency={invoice.currency} />,
  },
  {
    id: 'open',
    header: 'Open',
    align: 'right',
    cell: ({ open, currency }) => (
      <span className={`num whitespace-nowrap ${open === 0 ? 'text-faint' : 'font-medium'}`}>
        {moneyText(open, currency)}
      </span>
    ),
  },
  {
    id: 'pdf',
    header: 'Files',
    hiddenHeader: true,
    align: 'right',
    cell: (invoice) => (
      <DownloadLink
        variant="quiet"
        href={`/api/admin/invoices/${invoice.id}.pdf`}
        label={`PDF of ${invoice.number ?? 'the draft'}`}
        className="z-1 -mr-2.5"
      >
        PDF
      </DownloadLink>
    ),
  },
]

export const invoiceColumns = (onShow: (row: ListedInvoice) => void): readonly Column<ListedInvoice>[] => {
  const [number, ...rest] = documentColumns<ListedInvoice>(onShow)
  const customer: Column<ListedInvoice> = {
    id: 'customer',
    header: 'Customer',
    cell: ({ user }) => <UserLink id={user.id} user={user} to="/admin/users/$id/billing" />,
  }
  return [number!, customer, ...rest]
}
