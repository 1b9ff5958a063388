import { useQueryClient } from '@tanstack/react-query'
import { clearNotifications, notify } from '../../ui/runtime/notifications.ts'
import { Menu } from '../../ui/components/Menu.tsx'
import type { PaymentMethod } from '../contract.ts'
import { billing, paymentMethods } from './api.ts'
import { cardName } from './card-labels.ts'

export function PaymentMethodActions({ method, onRemove }: { method: PaymentMethod; onRemove: () => void }) {
  const queries = useQueryClient()
  const makeDefault = async () => {
    await billing.call['PUT /api/account/payment_methods/{id}/default']({ params: { id: method.id } })
    // Errors about an earlier card no longer matter.
    clearNotifications()
    notify({
      type: 'success',
      title: `${cardName(method)} is now the default`,
      body: 'Open invoices will be charged to it.',
    })
    await queries.invalidateQueries({ queryKey: paymentMethods().queryKey })
  }
  return (
    <Menu
      label={`Actions for ${cardName(method)}`}
      entries={[
        {
          label: 'Make default',
          icon: 'check',
          disabledReason: method.isDefault ? 'This is already the default.' : null,
          onSelect: () => void makeDefault(),
        },
        { label: 'Remove', icon: 'trash', danger: true, apart: true, onSelect: onRemove },
      ]}
    />
  )
}
