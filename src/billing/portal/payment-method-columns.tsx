import type { Column } from '../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { PaymentMethod } from '../contract.ts'
import { cardName, expiry, expiryText } from './card-labels.ts'
import { PaymentMethodActions } from './PaymentMethodActions.tsx'
import { actionsColumn } from '../../ui/components/actions-column.ts'

export const paymentMethodColumns = (
  now: Date,
  onRemove: (method: PaymentMethod) => void,
): readonly Column<PaymentMethod>[] => [
  {
    id: 'card',
    header: 'Card',
    cell: (method) => (
      <span className="flex items-center gap-2.5">
        <span className="num font-medium">{cardName(method)}</span>
        {method.isDefault && <StatusBadge tone="ok">Default</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: (method) => <Expiry method={method} now={now} />,
  },
  actionsColumn((method) => <PaymentMethodActions method={method} onRemove={() => onRemove(method)} />),
]

function Expiry({ method, now }: { method: PaymentMethod; now: Date }) {
  const state = expiry(method, now)
  return (
    <span className="inline-flex items-center gap-2.5">
      <span className="num">{expiryText(method)}</span>
      {state === 'past' && <StatusBadge tone="bad">Expired</StatusBadge>}
      {state === 'soon' && <StatusBadge tone="warn">Expires soon</StatusBadge>}
    </span>
  )
}
