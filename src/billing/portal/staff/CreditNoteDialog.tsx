import type { StaffInvoice } from '../../contract.ts'
import { ChoiceWithFields } from '../../../ui/components/ChoiceWithFields.tsx'
import type { FormValues } from '../../../ui/components/Form.tsx'
import { money } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { moneyText, parseMoney } from './money-labels.ts'

/** Credits a whole invoice, or parts of its lines. */
export function CreditNoteDialog({ invoice, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { currency } = invoice
  const linesOf = (values: FormValues) =>
    // Includes lines without a credit, so that a server error about the third line is shown at the third line.
    invoice.lines.map((line, index) => {
      const amount = parseMoney(values.text(`lines.${index}.amount`), currency) ?? 0
      return { position: index + 1, amount: line.amount < 0 ? -amount : amount }
    })
  return (
    <ActionDialog
      title={`Credit note for ${invoice.number}`}
      action="Issue credit note"
      consequences={[
        'The invoice does not change. The credit note gets its own number and is emailed to the customer.',
        'The usage that it credits is not billed again.',
        'It reduces the amount due. Anything already paid becomes account credit: refund it, or it is applied to the next invoice.',
      ]}
      reasonHint="Shown to the customer on the credit note."
      done={`Credit note issued for ${invoice.number}`}
      onClose={onClose}
      onSubmit={(reason, values, submission) => {
        const parts = values.text('what') === 'parts' && { lines: linesOf(values) }
        const input = { params: { id: invoice.id }, body: { reason, ...parts } }
        return money.call['POST /api/admin/invoices/{id}/credit_notes'](input, submission)
      }}
    >
      <ChoiceWithFields
        legend="Amount to credit"
        name="what"
        defaultValue="all"
        fieldsOf="parts"
        columns={2}
        options={[
          { value: 'all', label: 'Everything remaining', detail: 'Every line, including tax' },
          { value: 'parts', label: 'Part of the lines', detail: 'Amounts before tax' },
        ]}
      >
        {invoice.lines.map((line, index) => (
          <MoneyField
            key={line.subject + line.description}
            label={line.description}
            name={`lines.${index}.amount`}
            optional
            disabled={line.left === 0}
            currency={currency}
            hint={leftText(line, currency)}
          />
        ))}
      </ChoiceWithFields>
    </ActionDialog>
  )
}

function leftText({ amount, left }: StaffInvoice['lines'][number], currency: string): string {
  const [whole, most] = [amount, left].map((one) => moneyText(Math.abs(one), currency))
  if (left === 0) return `All of ${whole} has been credited`
  return left === amount ? `Up to ${whole}` : `Up to ${most} remaining of ${whole}`
}
