import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { money, type CustomerBilling } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

type Discount = CustomerBilling['discounts'][number]

/** Lists percentage discounts with their times. */
export function CustomerDiscounts({ discounts, denial }: { discounts: readonly Discount[]; denial: string | null }) {
  const [ended, setEnded] = useState<Discount | null>(null)
  return (
    <>
      <DataTable
        label="Discounts"
        columns={columns(denial, setEnded)}
        rows={discounts}
        rowKey={(discount) => discount.id}
      />
      {ended && (
        <ActionDialog
          title={`End “${ended.description}”`}
          action="End discount"
          consequences={[`The ${ended.percent} % reduction stops now.`, 'Reductions so far are kept.']}
          done="Discount ended"
          onClose={() => setEnded(null)}
          onSubmit={(reason, _, submission) =>
            money.call['POST /api/admin/discounts/{id}/end']({ params: { id: ended.id }, body: { reason } }, submission)
          }
        />
      )}
    </>
  )
}

const SCOPE = {
  ALL: 'Routers, addresses and IP transit',
  ROUTERS: 'Routers and addresses',
  TRANSIT: 'IP transit',
} as const

const hasEnded = ({ endsAt }: Discount): boolean => endsAt !== null && Date.parse(endsAt) <= Date.now()

const columns = (denial: string | null, onEnd: (discount: Discount) => void): readonly Column<Discount>[] => [
  { id: 'description', header: 'Discount', cell: (discount) => discount.description },
  { id: 'scope', header: 'On', cell: (discount) => SCOPE[discount.scope] },
  {
    id: 'time',
    header: 'Time',
    cell: (discount) => (
      <>
        from <Time at={discount.startsAt} as="utc-day" />{' '}
        {discount.endsAt && (
          <>
            to <Time at={discount.endsAt} as="utc-day" />
          </>
        )}
      </>
    ),
  },
  {
    id: 'percent',
    header: 'Percent',
    align: 'right',
    cell: (discount) => <span className="num">{discount.percent} %</span>,
  },
  actionsColumn(
    (discount) =>
      !hasEnded(discount) && (
        <Button
          size="sm"
          aria-label={`End ${discount.description}`}
          disabledReason={denial}
          onClick={() => onEnd(discount)}
        >
          End
        </Button>
      ),
  ),
]
