import { Link } from '@tanstack/react-router'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { Invoice, InvoicePayment } from '../contract.ts'
import { invoiceName, invoiceState, money, monthName } from './billing-labels.ts'
import { cardName } from './card-labels.ts'
import { InvoiceBody, InvoiceFiles } from './InvoiceBody.tsx'
import { Money } from './Money.tsx'

export const InvoiceDialog = ({ invoice, now, onClose }: { invoice: Invoice; now: Date; onClose: () => void }) => (
  <Dialog open onClose={onClose} title={invoiceName(invoice)} width="lg">
    <InvoiceDetail invoice={invoice} now={now} />
    <p className="mt-4 text-sm">
      <Link to="/billing/invoices/$id" params={{ id: invoice.id }} className="link">
        Open as a page
      </Link>
    </p>
  </Dialog>
)

/** Shows an invoice with its lines and every payment attempt. */
export function InvoiceDetail({ invoice, now }: { invoice: Invoice; now: Date }) {
  const { tone, label } = invoiceState(invoice, now)
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-3 text-sm text-dim">
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <span>{monthName(invoice.periodStart)}</span>
        {invoice.issuedAt && (
          <span>
            issued <Time at={invoice.issuedAt} as="utc-day" />
          </span>
        )}
        {invoice.status === 'OPEN' && invoice.dueAt && (
          <span>
            due <Time at={invoice.dueAt} as="utc-day" />
          </span>
        )}
        <InvoiceFiles address={`/api/invoices/${invoice.id}`} />
      </p>
      <InvoiceBody invoice={invoice} open={openLabel(invoice)} />
      {invoice.payments.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-sm font-semibold">Payments</h3>
          <ul className="grid gap-1">
            {invoice.payments.map((payment) => (
              <Payment key={payment.id} payment={payment} currency={invoice.currency} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Shown only if it differs from the total. */
function openLabel({ open, total }: Invoice): string | null {
  if (open === 0 || open === total) return null
  return open > 0 ? 'Amount due' : 'Account credit'
}

const OUTCOME = {
  PENDING: { tone: 'busy', label: 'In progress' },
  ACTION_REQUIRED: { tone: 'warn', label: 'Confirmation required' },
  SUCCEEDED: { tone: 'ok', label: 'Paid' },
  DECLINED: { tone: 'bad', label: 'Declined' },
  FAILED: { tone: 'bad', label: 'Failed' },
} as const

const DISPUTE = {
  OPEN: 'disputed: awaiting the bank’s decision',
  WON: 'disputed: payment upheld',
  LOST: 'disputed: returned by the bank',
} as const

function Payment({ payment, currency }: { payment: InvoicePayment; currency: string }) {
  const { tone, label } = OUTCOME[payment.status]
  return (
    <li className="flex flex-wrap items-center gap-x-3 text-sm">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <Money amount={payment.amount} currency={currency} />
      <span className="text-dim">{cardName(payment.card)}</span>
      <Time at={payment.createdAt} />
      {payment.refunded > 0 && <span className="text-dim">{money(payment.refunded, currency)} refunded</span>}
      {payment.dispute && <span className="text-dim">{DISPUTE[payment.dispute]}</span>}
      {payment.reason && <span className="text-dim">{payment.reason}</span>}
    </li>
  )
}
