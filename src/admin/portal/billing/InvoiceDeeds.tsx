import { useState } from 'react'
import type { Invoice, StaffInvoice } from '../../../billing/contract.ts'
import { INVOICE_WORDS } from '../../../billing/states.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { CollectDialog } from './CollectDialog.tsx'
import { CreditNoteDialog } from './CreditNoteDialog.tsx'
import { WriteOffDialog } from './WriteOffDialog.tsx'

const DEEDS = ['collect', 'credit', 'write-off'] as const
type Deed = (typeof DEEDS)[number]

/** What staff may do about an invoice. What cannot be done now says why, as the server would. */
export function InvoiceDeeds({ invoice }: { invoice: StaffInvoice }) {
  const [asked, setAsked] = useState<Deed | null>(null)
  const duty = useDutyRefusal('billing')
  const close = () => setAsked(null)
  return (
    <div className="mt-4 flex flex-wrap justify-end gap-2">
      <Button disabledReason={duty ?? collectRefusal(invoice)} onClick={() => setAsked('collect')}>
        Charge now
      </Button>
      <Button disabledReason={duty ?? creditRefusal(invoice)} onClick={() => setAsked('credit')}>
        Issue credit note
      </Button>
      <Button look="danger" disabledReason={duty ?? writeOffRefusal(invoice)} onClick={() => setAsked('write-off')}>
        Write off
      </Button>
      {asked === 'collect' && <CollectDialog invoice={invoice} onClose={close} />}
      {asked === 'credit' && <CreditNoteDialog invoice={invoice} onClose={close} />}
      {asked === 'write-off' && <WriteOffDialog invoice={invoice} onClose={close} />}
    </div>
  )
}

const notOpen = ({ status }: Invoice): string | null =>
  status === 'OPEN' ? null : `Only open invoices can be written off or charged. This one is ${INVOICE_WORDS[status]}.`

const underWay = ({ payments }: Invoice): string | null =>
  payments.some(({ status }) => status === 'PENDING' || status === 'ACTION_REQUIRED')
    ? 'A payment is in progress.'
    : null

const collectRefusal = (invoice: Invoice) => notOpen(invoice) ?? underWay(invoice)
const writeOffRefusal = collectRefusal
function creditRefusal({ status, lines }: StaffInvoice): string | null {
  if (status === 'DRAFT' || status === 'VOID') return `This invoice is ${INVOICE_WORDS[status]}: nothing to credit.`
  return lines.every(({ left }) => left === 0) ? 'It has been credited in full.' : null
}
