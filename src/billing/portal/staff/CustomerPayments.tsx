import { useState } from 'react'
import { useConfirmIdentity } from '../../../accounts/portal/proof/prove.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { cardName } from '../card-labels.ts'
import type { Invoice, InvoicePayment } from '../../contract.ts'
import type { CustomerBilling } from './api.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'
import { Money } from '../Money.tsx'

interface Row {
  readonly id: string
  readonly at: string
  readonly invoice: Invoice | undefined
  readonly payment: InvoicePayment | null
  readonly refund: CustomerBilling['refunds'][number] | null
}

/** Lists every payment attempt and refund, newest first. */
export function CustomerPayments({ billing }: { billing: CustomerBilling }) {
  const [refunded, setRefunded] = useState<{ payment: InvoicePayment; invoice: Invoice } | null>(null)
  const confirmIdentity = useConfirmIdentity()
  const denial = useStaffDenial('billing', billing.user.id)
  return (
    <Section title="Payments and refunds">
      <DataTable
        label="Payments and refunds"
        columns={columns(
          billing.overview.currency,
          denial,
          (payment, invoice) =>
            void confirmIdentity().then((confirmed) => confirmed && setRefunded({ payment, invoice })),
        )}
        rows={rowsOf(billing)}
        rowKey={(row) => row.id}
        empty={<EmptyState title="No payments yet">The default card is charged when an invoice is issued.</EmptyState>}
      />
      {refunded && <RefundDialog {...refunded} onClose={() => setRefunded(null)} />}
    </Section>
  )
}

function rowsOf({ invoices, refunds }: CustomerBilling): Row[] {
  const payments = invoices.flatMap((invoice) =>
    invoice.payments.map((payment): Row => ({
      id: `payment ${payment.id}`,
      at: payment.createdAt,
      invoice,
      payment,
      refund: null,
    })),
  )
  const back = refunds.map((refund): Row => ({
    id: `refund ${refund.id}`,
    at: refund.createdAt,
    invoice: invoices.find((invoice) => invoice.id === refund.invoiceId),
    payment: null,
    refund,
  }))
  return [...payments, ...back].toSorted((a, b) => b.at.localeCompare(a.at))
}

const OUTCOME: Readonly<Record<InvoicePayment['status'] | 'REFUNDED', { tone: Tone; label: string }>> = {
  PENDING: { tone: 'busy', label: 'In progress' },
  ACTION_REQUIRED: { tone: 'warn', label: 'Awaiting cardholder' },
  SUCCEEDED: { tone: 'ok', label: 'Paid' },
  DECLINED: { tone: 'bad', label: 'Declined' },
  FAILED: { tone: 'bad', label: 'Failed' },
  REFUNDED: { tone: 'off', label: 'Refunded' },
}

function outcomeOf({ payment, refund }: Row) {
  if (payment) return OUTCOME[payment.status]
  return OUTCOME[refund?.status === 'SUCCEEDED' ? 'REFUNDED' : (refund?.status ?? 'PENDING')]
}

const columns = (
  currency: string,
  denial: string | null,
  onRefund: (payment: InvoicePayment, invoice: Invoice) => void,
): readonly Column<Row>[] => [
  { id: 'at', header: 'When', cell: (row) => <Time at={row.at} as="utc-day" /> },
  {
    id: 'what',
    header: 'What',
    cell: (row) => (
      <span className="num">
        {row.payment ? 'Payment' : 'Refund'} of {row.invoice?.number ?? 'an invoice'}
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-x-3">
        <StatusBadge {...pick(outcomeOf(row))} />
        <span className="text-sm text-dim">{noteOf(row)}</span>
      </span>
    ),
  },
  {
    id: 'card',
    header: 'Card',
    wideOnly: true,
    cell: (row) => (row.payment ? cardName(row.payment.card) : <EmptyValue />),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ payment, refund }) => <Money amount={payment?.amount ?? -(refund?.amount ?? 0)} currency={currency} />,
  },
  actionsColumn(
    ({ payment, invoice }) =>
      payment?.status === 'SUCCEEDED' &&
      invoice && (
        <Button
          size="sm"
          aria-label={`Refund the payment of ${invoice.number}`}
          disabledReason={denial ?? refundBlockedReason(payment, invoice)}
          onClick={() => onRefund(payment, invoice)}
        >
          Refund
        </Button>
      ),
  ),
]

const pick = ({ tone, label }: { tone: Tone; label: string }) => ({ tone, children: label })

function noteOf({ payment, refund }: Row): string {
  if (refund) return refund.failure ?? refund.reason
  if (payment?.dispute) return `disputed: ${payment.dispute.toLowerCase()}`
  return payment?.reason ?? ''
}

/** Applies the server's rule: only a credit of the customer in the ledger can be refunded. */
function refundBlockedReason(payment: InvoicePayment, invoice: Invoice): string | null {
  if (payment.dispute === 'OPEN' || payment.dispute === 'LOST') return 'The bank has already taken the money back.'
  if (payment.refunded >= payment.amount) return 'This payment has been refunded in full.'
  return invoice.open < 0 ? null : 'This invoice has no credit to refund. Issue a credit note first.'
}
