import type { Column } from '../../ui/components/DataTable.tsx'
import { DownloadLink } from '../../ui/components/DownloadLink.tsx'
import type { Invoice, InvoiceLine } from '../contract.ts'
import { lineDates } from '../line-dates.ts'
import { money, quantityText } from './billing-labels.ts'
import { Money } from './Money.tsx'

export const lineKey = (line: InvoiceLine): string => `${line.kind} ${line.subject} ${line.description}`

/** The content of an invoice or credit note. `open` is the label of the open amount; null hides it. */
export function InvoiceBody({ invoice, open }: { invoice: Invoice; open: string | null }) {
  const { currency, lines, subtotal, tax, taxRate, taxNote, total } = invoice
  return (
    <>
      <ul className="grid divide-y divide-line">
        {lines.map((line) => (
          <li key={lineKey(line)} className="flex justify-between gap-4 py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {line.description}{' '}
              <span className="num text-sm whitespace-nowrap text-faint max-sm:block">
                {quantityText(line, currency)}
              </span>
              <LineDates line={line} />
            </span>
            <Money amount={line.amount} currency={currency} />
          </li>
        ))}
      </ul>
      <dl className="num mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 border-t border-line pt-2 text-right">
        <dt className="text-dim">Subtotal</dt>
        <dd className="num whitespace-nowrap">{money(subtotal, currency)}</dd>
        <dt className="text-dim">{taxRate ? `VAT ${taxRate} %` : 'Tax'}</dt>
        <dd className="num whitespace-nowrap">{money(tax, currency)}</dd>
        <dt className="font-semibold">Total</dt>
        <dd className="num font-semibold whitespace-nowrap">{money(total, currency)}</dd>
        {open !== null && (
          <>
            <dt className="text-dim">{open}</dt>
            <dd className="num whitespace-nowrap">{money(Math.abs(invoice.open), currency)}</dd>
          </>
        )}
      </dl>
      {taxNote && <p className="mt-2 text-sm text-dim">{taxNote}</p>}
    </>
  )
}

const LineDates = ({ line: { periodStart, periodEnd } }: { line: InvoiceLine }) =>
  periodStart !== null &&
  periodEnd !== null && (
    <span className="num block text-sm text-faint">{lineDates(new Date(periodStart), new Date(periodEnd))}</span>
  )

/** Download links. `address` is the URL without its extension; staff have a different one. */
export const InvoiceFiles = ({ address }: { address: string }) => (
  <span className="inline-flex gap-2 sm:ml-auto">
    {(['pdf', 'csv'] as const).map((kind) => (
      <DownloadLink key={kind} href={`${address}.${kind}`}>
        {kind.toUpperCase()}
      </DownloadLink>
    ))}
  </span>
)

/** Columns for lines that are not on an invoice yet. */
export const lineColumns = (currency: string): readonly Column<InvoiceLine>[] => [
  {
    id: 'description',
    header: 'For',
    cell: (line) => (
      <>
        {line.description}
        <LineDates line={line} />
      </>
    ),
  },
  {
    id: 'quantity',
    header: 'Quantity',
    align: 'right',
    cell: (line) => <span className="num text-dim">{quantityText(line, currency)}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    besideName: true,
    cell: (line) => <Money amount={line.amount} currency={currency} />,
  },
]
