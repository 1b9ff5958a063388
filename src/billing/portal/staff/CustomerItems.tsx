import { useState } from 'react'
import { useConfirmIdentity } from '../../../accounts/portal/proof/prove.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { money, type CustomerBilling } from './api.ts'
import { CustomerDiscounts } from './CustomerDiscounts.tsx'
import { moneyText } from './money-labels.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'
import { Money } from '../Money.tsx'

type Item = CustomerBilling['items'][number]

/** Lists the fees, credits and discounts that staff added. */
export function CustomerItems({ billing: { items, discounts, overview, user } }: { billing: CustomerBilling }) {
  const [cancelled, setCancelled] = useState<Item | null>(null)
  const denial = useStaffDenial('billing', user.id)
  const confirmIdentity = useConfirmIdentity()
  const askConfirmed = async (item: Item) => {
    if (await confirmIdentity()) setCancelled(item)
  }
  return (
    <Section title="Credits, fees and discounts">
      <DataTable
        label="Credits and fees"
        columns={itemColumns(overview.currency, denial, (item) => void askConfirmed(item))}
        rows={items}
        rowKey={(item) => item.id}
        empty={
          <EmptyState title="No credits or fees">A credit reduces the next invoice. A fee is charged once.</EmptyState>
        }
      />
      {discounts.length > 0 && (
        <div className="mt-3">
          <CustomerDiscounts discounts={discounts} denial={denial} />
        </div>
      )}
      {cancelled && (
        <Confirm
          open
          onClose={() => setCancelled(null)}
          title={`Cancel “${cancelled.description}”`}
          consequences={['It has not been invoiced and will not be.']}
          action={cancelled.kind === 'FEE' ? 'Cancel fee' : 'Cancel credit'}
          danger
          onConfirm={() => money.call['DELETE /api/admin/billing_items/{id}']({ params: { id: cancelled.id } })}
        />
      )}
    </Section>
  )
}

const itemColumns = (
  currency: string,
  denial: string | null,
  onCancel: (item: Item) => void,
): readonly Column<Item>[] => [
  { id: 'description', header: 'For', cell: (item) => item.description },
  { id: 'kind', header: 'Kind', cell: (item) => (item.kind === 'FEE' ? 'Fee' : 'Credit') },
  { id: 'from', header: 'From', wideOnly: true, cell: (item) => <Time at={item.effectiveAt} as="utc-day" /> },
  { id: 'state', header: 'State', cell: (item) => <ItemState item={item} currency={currency} /> },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (item) => <Money amount={item.kind === 'FEE' ? item.amount : -item.amount} currency={currency} />,
  },
  actionsColumn(
    (item) =>
      item.billed === 0 &&
      item.cancelledAt === null && (
        <Button
          size="sm"
          aria-label={`Cancel ${item.description}`}
          disabledReason={denial}
          onClick={() => onCancel(item)}
        >
          Cancel
        </Button>
      ),
  ),
]

function ItemState({ item, currency }: { item: Item; currency: string }) {
  if (item.cancelledAt) return <StatusBadge tone="off">Canceled</StatusBadge>
  if (item.billed === item.amount) return <StatusBadge tone="ok">Invoiced</StatusBadge>
  const note = item.billed > 0 ? `${moneyText(item.amount - item.billed, currency)} left` : null
  return (
    <StatusBadge tone="waiting" note={note}>
      On the next invoice
    </StatusBadge>
  )
}
