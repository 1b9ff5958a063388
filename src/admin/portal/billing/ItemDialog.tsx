import { TextField } from '../../../portal/ui/Field.tsx'
import { money } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { parseMoney } from './money-words.ts'

const WORDS = {
  CREDIT: {
    title: 'Issue credit',
    action: 'Issue credit',
    consequences: [
      'It lessens what is left to pay on the next invoice, before tax, and never makes one negative: what is left waits for the one after.',
      'It can be cancelled until an invoice has taken some of it.',
    ],
    done: 'The credit waits for the next invoice',
  },
  FEE: {
    title: 'Charge fee',
    action: 'Charge fee',
    consequences: [
      'It is charged once, with the next invoice, plus tax.',
      'It can be cancelled until it stands on an invoice.',
    ],
    done: 'The fee waits for the next invoice',
  },
} as const

export const ItemDialog = ({
  id,
  kind,
  currency,
  onClose,
}: {
  id: number
  kind: 'CREDIT' | 'FEE'
  currency: string
  onClose: () => void
}) => (
  <DeedDialog
    {...WORDS[kind]}
    onClose={onClose}
    act={(reason, values, submission) =>
      money.call['POST /api/admin/users/{id}/billing_items'](
        {
          params: { id },
          body: {
            kind,
            reason,
            description: values.text('description'),
            amount: parseMoney(values.text('amount'), currency) ?? 0,
          },
        },
        submission,
      )
    }
  >
    <MoneyField label="Amount" name="amount" required currency={currency} />
    <TextField
      label="Description"
      name="description"
      required
      maxLength={200}
      hint="The customer reads it on the invoice."
    />
  </DeedDialog>
)
