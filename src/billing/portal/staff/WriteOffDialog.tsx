import type { Invoice } from '../../contract.ts'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { moneyText } from './money-labels.ts'

export const WriteOffDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <ActionDialog
    title={`Write off ${invoice.number}`}
    action="Write off"
    danger
    consequences={[
      `${moneyText(invoice.open, invoice.currency)} will be recorded as a loss. This can’t be undone: the invoice stays written off.`,
      'No card is charged for it again and its dunning ends. Services suspended only for this invoice are restored.',
    ]}
    done={`${invoice.number} written off`}
    onClose={onClose}
    onSubmit={(reason, _, submission) =>
      money.call['POST /api/admin/invoices/{id}/write_off'](
        { params: { id: invoice.id }, body: { reason } },
        submission,
      )
    }
  />
)
