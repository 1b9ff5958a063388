import type { Invoice, InvoicePayment } from '../../contract.ts'
import { cardName } from '../card-labels.ts'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { moneyText, parseMoney, plainMoney } from './money-labels.ts'

export function RefundDialog({
  payment,
  invoice,
  onClose,
}: {
  payment: InvoicePayment
  invoice: Invoice
  onClose: () => void
}) {
  const { currency } = invoice
  const most = Math.min(payment.amount - payment.refunded, -invoice.open)
  return (
    <ActionDialog
      title={`Refund the payment of ${invoice.number}`}
      action="Refund"
      consequences={[
        `The money is returned to ${cardName(payment.card)}, which can take banks up to ten days. The customer is notified.`,
        `Up to ${moneyText(most, currency)}, the credit on this invoice.`,
      ]}
      done="Refund started"
      onClose={onClose}
      onSubmit={(reason, values, submission) =>
        money.call['POST /api/admin/payments/{id}/refunds'](
          { params: { id: payment.id }, body: { reason, amount: parseMoney(values.text('amount'), currency) ?? 0 } },
          submission,
        )
      }
    >
      <MoneyField
        label="Amount"
        name="amount"
        required
        aboveZero
        currency={currency}
        defaultValue={plainMoney(most, currency)}
      />
    </ActionDialog>
  )
}
