import { Dialog } from '../../portal/ui/Dialog.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { Invoice, InvoicePayment } from '../contract.ts'
import { invoiceState, money, monthName, quantityText } from './billing-words.ts'
import { cardName } from './card-words.ts'

/** An invoice line by line, with every try to pay it. */
export function InvoiceDialog({ invoice, now, onClose }: { invoice: Invoice; now: Date; onClose: () => void }) {
  const { tone, word } = invoiceState(invoice, now)
  const { currency } = invoice
  const name = `${invoice.kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${invoice.number ?? '(draft)'}`
  return (
    <Dialog open onClose={onClose} title={name} width="lg">
      <p className="mb-3 flex flex-wrap items-center gap-3 text-sm text-dim">
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span>{monthName(invoice.periodStart)}</span>
        {invoice.issuedAt && (
          <span>
            issued <Time at={invoice.issuedAt} as="day" />
          </span>
        )}
        {invoice.status === 'OPEN' && invoice.dueAt && (
          <span>
            due <Time at={invoice.dueAt} as="day" />
          </span>
        )}
        <a href={`/api/invoices/${invoice.id}.pdf`} download className="font-medium text-accent hover:underline">
          PDF
        </a>
        <a href={`/api/invoices/${invoice.id}.csv`} download className="font-medium text-accent hover:underline">
          CSV
        </a>
      </p>
      <ul className="grid divide-y divide-line">
        {invoice.lines.map((line) => (
          <li key={`${line.kind} ${line.subject} ${line.description}`} className="flex justify-between gap-4 py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {line.description} <span className="num text-sm text-faint">{quantityText(line, currency)}</span>
            </span>
            <span className="num">{money(line.amount, currency)}</span>
          </li>
        ))}
      </ul>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 border-t border-line pt-2 text-right">
        <dt className="text-dim">Subtotal</dt>
        <dd className="num">{money(invoice.subtotal, currency)}</dd>
        <dt className="text-dim">{invoice.taxRate ? `VAT ${invoice.taxRate} %` : 'Tax'}</dt>
        <dd className="num">{money(invoice.tax, currency)}</dd>
        <dt className="font-semibold">Total</dt>
        <dd className="num font-semibold">{money(invoice.total, currency)}</dd>
        {invoice.open !== 0 && invoice.open !== invoice.total && (
          <>
            <dt className="text-dim">{invoice.open > 0 ? 'Still to pay' : 'In your favour'}</dt>
            <dd className="num">{money(Math.abs(invoice.open), currency)}</dd>
          </>
        )}
      </dl>
      {invoice.taxNote && <p className="mt-2 text-sm text-dim">{invoice.taxNote}</p>}
      {invoice.payments.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-sm font-semibold">Payments</h3>
          <ul className="grid gap-1">
            {invoice.payments.map((payment) => (
              <Payment key={payment.id} payment={payment} currency={currency} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

const OUTCOME = {
  PENDING: { tone: 'busy', word: 'Under way' },
  ACTION_REQUIRED: { tone: 'warn', word: 'Waits for you' },
  SUCCEEDED: { tone: 'ok', word: 'Paid' },
  DECLINED: { tone: 'bad', word: 'Declined' },
  FAILED: { tone: 'bad', word: 'Failed' },
} as const

const DISPUTE = {
  OPEN: 'disputed: the bank decides',
  WON: 'disputed: the bank left it as it is',
  LOST: 'disputed: the bank gave it back',
} as const

function Payment({ payment, currency }: { payment: InvoicePayment; currency: string }) {
  const { tone, word } = OUTCOME[payment.status]
  return (
    <li className="flex flex-wrap items-center gap-x-3 text-sm">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <span className="num">{money(payment.amount, currency)}</span>
      <span className="text-dim">{cardName(payment.card)}</span>
      <Time at={payment.createdAt} />
      {payment.refunded > 0 && <span className="text-dim">{money(payment.refunded, currency)} refunded</span>}
      {payment.dispute && <span className="text-dim">{DISPUTE[payment.dispute]}</span>}
      {payment.reason && <span className="text-dim">{payment.reason}</span>}
    </li>
  )
}
