import { useState } from 'react'
import { useConfirmIdentity } from '../../../accounts/portal/proof/prove.ts'
import type { Invoice, StaffInvoice } from '../../contract.ts'
import { INVOICE_LABELS } from '../../states.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { money } from './api.ts'
import { CollectDialog } from './CollectDialog.tsx'
import { CreditNoteDialog } from './CreditNoteDialog.tsx'
import { WriteOffDialog } from './WriteOffDialog.tsx'

const INVOICE_ACTIONS = ['resend', 'collect', 'credit', 'write-off'] as const
type InvoiceAction = (typeof INVOICE_ACTIONS)[number]

/** The actions of staff on an invoice. A disabled action shows the same reason that the server would give. */
export function InvoiceActions({ invoice, userId }: { invoice: StaffInvoice; userId: number }) {
  const [asked, setAsked] = useState<InvoiceAction | null>(null)
  const missingRole = useMissingRoleReason('billing')
  const denial = useStaffDenial('billing', userId)
  const confirmIdentity = useConfirmIdentity()
  const missingSupport = useMissingRoleReason('support')
  const close = () => setAsked(null)
  const askConfirmed = async (action: InvoiceAction) => {
    if (await confirmIdentity()) setAsked(action)
  }
  return (
    <div className="mt-4 flex flex-wrap justify-end gap-2">
      <Button
        icon="mail"
        disabledReason={
          missingSupport ?? (invoice.status === 'DRAFT' ? 'Drafts are emailed when they are issued.' : null)
        }
        onClick={() => setAsked('resend')}
      >
        Resend email
      </Button>
      <Button disabledReason={missingRole ?? collectBlockedReason(invoice)} onClick={() => setAsked('collect')}>
        Charge now
      </Button>
      <Button disabledReason={denial ?? creditBlockedReason(invoice)} onClick={() => void askConfirmed('credit')}>
        Issue credit note
      </Button>
      <Button
        variant="danger"
        disabledReason={denial ?? writeOffBlockedReason(invoice)}
        onClick={() => void askConfirmed('write-off')}
      >
        Write off
      </Button>
      {asked === 'resend' && (
        <Confirm
          open
          onClose={close}
          title={`Resend ${invoice.number}`}
          action="Resend email"
          consequences={[
            'The customer gets the email about this invoice again, whatever they switched off.',
            'The customer’s activity shows it.',
          ]}
          onConfirm={async () => {
            await money.call['POST /api/admin/invoices/{id}/emails']({ params: { id: invoice.id } })
            notify({ type: 'success', title: `Email about ${invoice.number} queued` })
          }}
        />
      )}
      {asked === 'collect' && <CollectDialog invoice={invoice} onClose={close} />}
      {asked === 'credit' && <CreditNoteDialog invoice={invoice} onClose={close} />}
      {asked === 'write-off' && <WriteOffDialog invoice={invoice} onClose={close} />}
    </div>
  )
}

const notOpen = ({ status }: Invoice): string | null =>
  status === 'OPEN' ? null : `Only open invoices can be written off or charged. This one is ${INVOICE_LABELS[status]}.`

const underWay = ({ payments }: Invoice): string | null =>
  payments.some(({ status }) => status === 'PENDING' || status === 'ACTION_REQUIRED')
    ? 'A payment is in progress.'
    : null

const collectBlockedReason = (invoice: Invoice) => notOpen(invoice) ?? underWay(invoice)
const writeOffBlockedReason = collectBlockedReason
function creditBlockedReason({ status, lines }: StaffInvoice): string | null {
  if (status === 'DRAFT' || status === 'VOID') return `This invoice is ${INVOICE_LABELS[status]}: nothing to credit.`
  return lines.every(({ left }) => left === 0) ? 'It has been credited in full.' : null
}
