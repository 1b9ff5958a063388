import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { PaymentMethod } from '../contract.ts'
import { paymentMethods } from './api.ts'
import { paymentMethodColumns } from './payment-method-columns.tsx'
import { RemovePaymentMethod } from './RemovePaymentMethod.tsx'

const AddPaymentMethod = lazy(() => import('./AddPaymentMethod.tsx'))

/** Lists the cards, the default first. */
export function PaymentMethods() {
  const { data } = useSuspenseQuery(paymentMethods())
  const [now] = useState(() => new Date())
  const [adds, setAdds] = useState(false)
  const [removes, setRemoves] = useState<PaymentMethod | null>(null)
  return (
    <Section
      title="Payment methods"
      summary="The default card is charged at month end."
      actions={
        data.length > 0 ? (
          <Button changes icon="plus" onClick={() => setAdds(true)}>
            Add payment method
          </Button>
        ) : null
      }
    >
      <DataTable
        label="Payment methods"
        columns={paymentMethodColumns(now, setRemoves)}
        rows={data}
        rowKey={(method) => method.id}
        empty={
          <EmptyState
            icon="billing"
            title="No payment method yet"
            action={
              <Button changes variant="primary" onClick={() => setAdds(true)}>
                Add payment method
              </Button>
            }
          >
            Routers are billed hourly and charged once a month. Adding a card is free, and we never see its number.
          </EmptyState>
        }
      />
      <Suspense>{adds && <AddPaymentMethod onClose={() => setAdds(false)} />}</Suspense>
      {removes && <RemovePaymentMethod method={removes} onClose={() => setRemoves(null)} />}
    </Section>
  )
}
