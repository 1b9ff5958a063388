import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StaffInvoice } from '../../contract.ts'
import { InvoiceBody, InvoiceFiles } from '../InvoiceBody.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { IdentityGate } from '../../../accounts/portal/proof/IdentityGate.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { money } from './api.ts'
import { InvoiceStatus } from './invoice-columns.tsx'
import { InvoiceActions } from './InvoiceActions.tsx'
import { moneyText, monthName } from './money-labels.ts'

interface Owner {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
}

/** Shows one invoice or credit note with its lines and the actions of staff. */
export function InvoiceDialog({ id, user, onClose }: { id: number; user: Owner; onClose: () => void }) {
  const { data: invoice } = useQuery(money.query['GET /api/admin/invoices/{id}']({ params: { id } }))
  const kind = invoice?.kind === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'
  return (
    <Dialog open onClose={onClose} title={`${kind} ${invoice ? (invoice.number ?? '(draft)') : ''}`} width="lg">
      {invoice ? <Body invoice={invoice} user={user} /> : <TableSkeleton rows={3} />}
    </Dialog>
  )
}

function Body({ invoice, user }: { invoice: StaffInvoice; user: Owner }) {
  const isInvoice = invoice.kind === 'INVOICE'
  const credited = invoice.lines.reduce((sum, { amount, left }) => sum + amount - left, 0)
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-dim">
        <InvoiceStatus invoice={invoice} />
        <span>{monthName(invoice.periodStart)}</span>
        <Link to="/admin/users/$id/billing" params={{ id: user.id }} className="link">
          {fullName(user)}
        </Link>
        <InvoiceFiles address={`/api/admin/invoices/${invoice.id}`} />
      </p>
      <InvoiceBody invoice={invoice} open={invoice.open < 0 ? 'Credit' : 'Open'} />
      {isInvoice && credited !== 0 && (
        <p className="mt-2 text-right text-sm text-dim">
          Credit notes: {moneyText(credited, invoice.currency)} before tax.
        </p>
      )}
      {isInvoice && (
        <IdentityGate>
          <InvoiceActions invoice={invoice} userId={user.id} />
        </IdentityGate>
      )}
    </>
  )
}
