import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Invoice } from '../../../billing/contract.ts'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TableSkeleton } from '../../../portal/ui/Skeleton.tsx'
import { fullName } from '../person.ts'
import { money } from './api.ts'
import { InvoiceStatus } from './invoice-columns.tsx'
import { InvoiceDeeds } from './InvoiceDeeds.tsx'
import { moneyText, monthName, quantityText } from './money-words.ts'

interface Owner {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
}

/** One document line by line, with what staff may do about it. */
export function InvoiceDialog({ id, user, onClose }: { id: number; user: Owner; onClose: () => void }) {
  const { data: invoice } = useQuery(money.query['GET /api/admin/invoices/{id}']({ params: { id } }))
  const kind = invoice?.kind === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'
  return (
    <Dialog open onClose={onClose} title={`${kind} ${invoice ? (invoice.number ?? '(draft)') : ''}`} width="lg">
      {invoice ? <Body invoice={invoice} user={user} /> : <TableSkeleton rows={3} />}
    </Dialog>
  )
}

function Body({ invoice, user }: { invoice: Invoice; user: Owner }) {
  const { currency } = invoice
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-dim">
        <InvoiceStatus invoice={invoice} />
        <span>{monthName(invoice.periodStart)}</span>
        <Link to="/admin/users/$id/billing" params={{ id: user.id }} className="link">
          {fullName(user)}
        </Link>
        <a href={`/api/admin/invoices/${invoice.id}.pdf`} download className="font-medium text-accent hover:underline">
          PDF
        </a>
        <a href={`/api/admin/invoices/${invoice.id}.csv`} download className="font-medium text-accent hover:underline">
          CSV
        </a>
      </p>
      <ul className="grid divide-y divide-line">
        {invoice.lines.map((line) => (
          <li key={`${line.kind} ${line.subject} ${line.description}`} className="flex justify-between gap-4 py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {line.description} <span className="num text-sm text-faint">{quantityText(line, currency)}</span>
            </span>
            <span className="num">{moneyText(line.amount, currency)}</span>
          </li>
        ))}
      </ul>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 border-t border-line pt-2 text-right">
        <dt className="text-dim">Subtotal</dt>
        <dd className="num">{moneyText(invoice.subtotal, currency)}</dd>
        <dt className="text-dim">{invoice.taxRate ? `VAT ${invoice.taxRate} %` : 'Tax'}</dt>
        <dd className="num">{moneyText(invoice.tax, currency)}</dd>
        <dt className="font-semibold">Total</dt>
        <dd className="num font-semibold">{moneyText(invoice.total, currency)}</dd>
        <dt className="text-dim">{invoice.open < 0 ? "In the customer's favour" : 'Open'}</dt>
        <dd className="num">{moneyText(Math.abs(invoice.open), currency)}</dd>
      </dl>
      {invoice.taxNote && <p className="mt-2 text-sm text-dim">{invoice.taxNote}</p>}
      {invoice.kind === 'INVOICE' && <InvoiceDeeds invoice={invoice} />}
    </>
  )
}
