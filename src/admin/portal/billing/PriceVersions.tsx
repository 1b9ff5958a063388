import { useState } from 'react'
import type { Price } from '../../../billing/contract.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { StatusBadge, type Tone } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { money, type Plan } from './api.ts'
import { priceText, productName, stateOf, type PriceState } from './price-words.ts'

const LOOK: Readonly<Record<PriceState, { tone: Tone; word: string }>> = {
  'to come': { tone: 'waiting', word: 'Scheduled' },
  now: { tone: 'ok', word: 'Current' },
  past: { tone: 'off', word: 'Past' },
}

export function PriceVersions({ prices, plans }: { prices: readonly Price[]; plans: readonly Plan[] }) {
  const [taken, setTaken] = useState<Price | null>(null)
  const duty = useDutyRefusal('billing')
  return (
    <>
      <DataTable
        label="Price history"
        columns={columns(prices, plans, duty, setTaken)}
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
  duty: string | null,
  onTake: (price: Price) => void,
): readonly Column<Price>[] => [
  { id: 'product', header: 'Product', cell: (price) => productName(price.product, plans, prices) },
  {
    id: 'state',
    header: 'State',
    cell: (price) => {
      const { tone, word } = LOOK[stateOf(price, prices)]
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  { id: 'from', header: 'From', cell: (price) => <Time at={price.effectiveFrom} as="utc-day" /> },
  { id: 'price', header: 'Price', cell: (price) => <span className="num">{priceText(price)}</span> },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (price) =>
      stateOf(price, prices) === 'to come' && (
        <Button
          size="sm"
          aria-label={`Cancel the price of ${productName(price.product, plans, prices)}`}
          disabledReason={duty}
          onClick={() => onTake(price)}
        >
          Cancel
        </Button>
      ),
  },
]
