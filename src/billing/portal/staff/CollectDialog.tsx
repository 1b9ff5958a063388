import type { Invoice } from '../../contract.ts'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { moneyText } from './money-labels.ts'

export const CollectDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <ActionDialog
    title={`Charge ${invoice.number}`}
    action="Charge now"
    consequences={[
      `${moneyText(invoice.open, invoice.currency)} will be charged to the default card within seconds, ahead of the scheduled attempt.`,
      'If the charge is declined, the customer is notified as usual.',
    ]}
    done={`${invoice.number} is being charged`}
    onClose={onClose}
    onSubmit={(reason, _, submission) =>
      money.call['POST /api/admin/invoices/{id}/collect']({ params: { id: invoice.id }, body: { reason } }, submission)
    }
  />
)
