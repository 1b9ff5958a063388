import { useState } from 'react'
import type { Price } from '../../contract.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { StatusBadge, type Tone } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { money, type Plan } from './api.ts'
import { priceText, productName, stateOf, type PriceState } from './price-labels.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

const BADGE: Readonly<Record<PriceState, { tone: Tone; label: string }>> = {
  'to come': { tone: 'waiting', label: 'Scheduled' },
  now: { tone: 'ok', label: 'Current' },
  past: { tone: 'off', label: 'Past' },
}

export function PriceVersions({ prices, plans }: { prices: readonly Price[]; plans: readonly Plan[] }) {
  const [taken, setTaken] = useState<Price | null>(null)
  const missingRole = useMissingRoleReason('billing')
  return (
    <>
      <DataTable
        label="Price history"
        columns={columns(prices, plans, missingRole, setTaken)}
        rows={prices}
        rowKey={(price) => price.id}
        empty={
          <EmptyState title="No price history yet">Plans keep their initial price until a new one is set.</EmptyState>
        }
      />
      {taken && (
        <Confirm
          open
          onClose={() => setTaken(null)}
          title={`Cancel a price of ${productName(taken.product, plans, prices)}`}
          consequences={[
            'The current price stays in effect.',
            'Customers who were notified are not told about the cancellation. Contact them yourself.',
          ]}
          action="Cancel price"
          danger
          onConfirm={() => money.call['DELETE /api/admin/prices/{id}']({ params: { id: taken.id } })}
        />
      )}
    </>
  )
}

const columns = (
  prices: readonly Price[],
  plans: readonly Plan[],
  missingRole: string | null,
  onTake: (price: Price) => void,
): readonly Column<Price>[] => [
  { id: 'product', header: 'Product', cell: (price) => productName(price.product, plans, prices) },
  {
    id: 'state',
    header: 'State',
    cell: (price) => {
      const { tone, label } = BADGE[stateOf(price, prices)]
      return <StatusBadge tone={tone}>{label}</StatusBadge>
    },
  },
  { id: 'from', header: 'From', cell: (price) => <Time at={price.effectiveFrom} as="utc-day" /> },
  { id: 'price', header: 'Price', cell: (price) => <span className="num">{priceText(price)}</span> },
  actionsColumn(
    (price) =>
      stateOf(price, prices) === 'to come' && (
        <Button
          size="sm"
          aria-label={`Cancel the price of ${productName(price.product, plans, prices)}`}
          disabledReason={missingRole}
          onClick={() => onTake(price)}
        >
          Cancel
        </Button>
      ),
  ),
]
