import type { Invoice } from '../../../billing/contract.ts'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { moneyText } from './money-words.ts'

export const CollectDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <DeedDialog
    title={`Collect ${invoice.number}`}
    action="Collect now"
    consequences={[
      `${moneyText(invoice.open, invoice.currency)} are charged to the default card within seconds, instead of when it is due to be tried.`,
      'A refusal is told to the customer, as after every try.',
    ]}
    done={`${invoice.number} is being collected`}
    onClose={onClose}
    act={(reason, _, submission) =>
      money.call['POST /api/admin/invoices/{id}/collect']({ params: { id: invoice.id }, body: { reason } }, submission)
    }
  />
)
