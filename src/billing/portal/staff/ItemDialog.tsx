import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import type { FormValues } from '../../../ui/components/Form.tsx'
import { PreservedFields } from '../../../ui/components/PreservedFields.tsx'
import { money, plans, prices } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { moneyText, parseMoney } from './money-labels.ts'
import { isOneOff, priceNow, productName } from './price-labels.ts'

const LABELS = {
  CREDIT: {
    title: 'Issue credit',
    action: 'Issue credit',
    consequences: [
      'Reduces the amount due on the next invoice, before tax. Any remainder carries over to the one after.',
      'It can be canceled until an invoice uses some of it.',
    ],
    done: 'Credit added to the next invoice',
  },
  FEE: {
    title: 'Charge fee',
    action: 'Charge fee',
    consequences: ['Charged once, on the next invoice, plus tax.', 'It can be canceled until it is invoiced.'],
    done: 'Fee added to the next invoice',
  },
} as const

interface ItemDialogProps {
  readonly id: number
  readonly currency: string
  readonly onClose: () => void
}

export const ItemDialog = ({ kind, ...props }: ItemDialogProps & { readonly kind: 'CREDIT' | 'FEE' }) =>
  kind === 'FEE' ? <ChargeFee {...props} /> : <IssueCredit {...props} />

const IssueCredit = ({ id, currency, onClose }: ItemDialogProps) => (
  <ActionDialog
    {...LABELS.CREDIT}
    onClose={onClose}
    onSubmit={(reason, values, submission) =>
      money.call['POST /api/admin/users/{id}/billing_items'](
        { params: { id }, body: { kind: 'CREDIT', reason, ...byHand(values, currency) } },
        submission,
      )
    }
  >
    <ByHand currency={currency} />
  </ActionDialog>
)

/** Charges a fee of the price list, or one entered manually. */
function ChargeFee({ id, currency, onClose }: ItemDialogProps) {
  const [product, setProduct] = useState('')
  const listed = useQuery(prices()).data ?? []
  const offered = useQuery(plans()).data ?? []
  const choices = [...new Set(listed.map((price) => price.product).filter(isOneOff))].flatMap((value) => {
    const oneOff = priceNow(value, listed)?.oneOffPrice
    if (!oneOff) return []
    return [{ value, label: `${productName(value, offered, listed)}: ${moneyText(oneOff, currency)}` }]
  })
  return (
    <ActionDialog
      {...LABELS.FEE}
      onClose={onClose}
      onSubmit={(reason, values, submission) => {
        const what = product === '' ? byHand(values, currency) : { product }
        return money.call['POST /api/admin/users/{id}/billing_items'](
          { params: { id }, body: { kind: 'FEE', reason, ...what } },
          submission,
        )
      }}
    >
      {choices.length > 0 && (
        <SelectField
          label="Fee"
          name="product"
          choices={[{ value: '', label: 'Custom fee' }, ...choices]}
          value={product}
          onChange={(event) => setProduct(event.target.value)}
        />
      )}
      <PreservedFields shown={product === ''}>
        <ByHand currency={currency} />
      </PreservedFields>
    </ActionDialog>
  )
}

const ByHand = ({ currency }: { currency: string }) => (
  <>
    <MoneyField label="Amount" name="amount" required aboveZero currency={currency} />
    <TextField
      label="Description"
      name="description"
      required
      maxLength={200}
      hint="Shown to the customer on the invoice."
    />
  </>
)

const byHand = (values: FormValues, currency: string) => ({
  description: values.text('description'),
  amount: parseMoney(values.text('amount'), currency) ?? 0,
})
