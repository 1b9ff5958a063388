import { useState } from 'react'
import type { Price } from '../../contract.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Amount } from '../../../ui/components/Amount.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { gibibytes, mebibytes } from '../../../ui/components/quantity.ts'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import type { Plan } from './api.ts'
import { NewPriceButton } from './NewPriceButton.tsx'
import { NextPrice } from './NextPrice.tsx'
import { RetirePlanDialog } from './RetirePlanDialog.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'
import { Money } from '../Money.tsx'

export function PlanTable({
  plans,
  prices,
  onPrice,
}: {
  plans: readonly Plan[]
  prices: readonly Price[]
  onPrice: (product: string) => void
}) {
  const [retired, setRetired] = useState<Plan | null>(null)
  const missingRole = useMissingRoleReason('billing')
  return (
    <>
      <DataTable
        label="Router plans"
        columns={columns(prices, missingRole, onPrice, setRetired)}
        rows={plans}
        rowKey={(plan) => plan.slug}
        empty={
          <EmptyState icon="router" title="No plans">
            A plan is a router size with a price. Customers need one to create routers.
          </EmptyState>
        }
      />
      {retired && <RetirePlanDialog plan={retired} onClose={() => setRetired(null)} />}
    </>
  )
}

const columns = (
  prices: readonly Price[],
  missingRole: string | null,
  onPrice: (product: string) => void,
  onRetire: (plan: Plan) => void,
): readonly Column<Plan>[] => [
  {
    id: 'name',
    header: 'Plan',
    cell: (plan) => (
      <span className="flex flex-wrap items-center gap-2.5">
        <span className="font-medium">{plan.name}</span>
        {plan.retiredAt && <StatusBadge tone="off">Retired</StatusBadge>}
      </span>
    ),
  },
  { id: 'cpus', header: 'CPUs', align: 'right', cell: (plan) => <span className="num">{plan.cpus}</span> },
  { id: 'memory', header: 'Memory', align: 'right', cell: (plan) => <Amount of={mebibytes(plan.memory)} /> },
  { id: 'disk', header: 'Disk', align: 'right', cell: (plan) => <Amount of={gibibytes(plan.diskSize)} /> },
  {
    id: 'hourly',
    header: 'Hourly',
    align: 'right',
    cell: (plan) => <Money amount={plan.hourlyPrice} currency={plan.currency} />,
  },
  {
    id: 'monthly',
    header: 'Monthly cap',
    align: 'right',
    cell: (plan) => <Money amount={plan.monthlyPrice} currency={plan.currency} />,
  },
  {
    id: 'setup',
    header: 'Setup',
    align: 'right',
    cell: (plan) =>
      plan.setupPrice === 0 ? <EmptyValue /> : <Money amount={plan.setupPrice} currency={plan.currency} />,
  },
  {
    id: 'next',
    header: 'Upcoming',
    wideOnly: true,
    cell: (plan) => <NextPrice product={`router:${plan.slug}`} prices={prices} />,
  },
  {
    id: 'use',
    header: 'In use',
    cell: ({ routers, customers }) =>
      routers === 0 ? (
        <EmptyValue />
      ) : (
        <span className="num whitespace-nowrap">
          {routers} {routers === 1 ? 'router' : 'routers'}{' '}
          <span className="text-faint">
            of {customers} {customers === 1 ? 'customer' : 'customers'}
          </span>
        </span>
      ),
  },
  actionsColumn((plan) => (
    <span className="inline-flex gap-2">
      <NewPriceButton name={plan.name} onClick={() => onPrice(`router:${plan.slug}`)} />
      <Button
        size="sm"
        aria-label={`Retire ${plan.name}`}
        disabledReason={missingRole ?? (plan.retiredAt ? 'It is already retired.' : null)}
        onClick={() => onRetire(plan)}
      >
        Retire
      </Button>
    </span>
  )),
]
