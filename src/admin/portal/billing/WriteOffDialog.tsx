import type { Invoice } from '../../../billing/contract.ts'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { moneyText } from './money-words.ts'

export const WriteOffDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <DeedDialog
    title={`Write off ${invoice.number}`}
    action="Write off"
    danger
    consequences={[
      `${moneyText(invoice.open, invoice.currency)} are booked as lost. The invoice becomes uncollectible and stays so.`,
      'No card is tried for it any more, and dunning of it ends: services that only it held back come on again.',
    ]}
    done={`${invoice.number} is written off`}
    onClose={onClose}
    act={(reason, _, submission) =>
      money.call['POST /api/admin/invoices/{id}/write_off'](
        { params: { id: invoice.id }, body: { reason } },
        submission,
      )
    }
  />
)
