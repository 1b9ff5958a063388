import { useState } from 'react'
import type { Price } from '../../../billing/contract.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Absent } from '../../../portal/ui/Absent.tsx'
import { Amount } from '../../../portal/ui/Amount.tsx'
import { Button } from '../../../portal/ui/Button.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { gibibytes, mebibytes } from '../../../portal/ui/quantity.ts'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import type { Plan } from './api.ts'
import { moneyText } from './money-words.ts'
import { NewPriceButton } from './NewPriceButton.tsx'
import { NextPrice } from './NextPrice.tsx'
import { RetirePlanDialog } from './RetirePlanDialog.tsx'

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
  const duty = useDutyRefusal('billing')
  return (
    <>
      <DataTable
        label="Router plans"
        columns={columns(prices, duty, onPrice, setRetired)}
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
  duty: string | null,
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
    cell: (plan) => <span className="num">{moneyText(plan.hourlyPrice, plan.currency)}</span>,
  },
  {
    id: 'monthly',
    header: 'Monthly cap',
    align: 'right',
    cell: (plan) => <span className="num">{moneyText(plan.monthlyPrice, plan.currency)}</span>,
  },
  {
    id: 'setup',
    header: 'Set-up',
    align: 'right',
    cell: (plan) =>
      plan.setupPrice === 0 ? <Absent /> : <span className="num">{moneyText(plan.setupPrice, plan.currency)}</span>,
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
        <Absent />
      ) : (
        <span className="num whitespace-nowrap">
          {routers} {routers === 1 ? 'router' : 'routers'}{' '}
          <span className="text-faint">
            of {customers} {customers === 1 ? 'customer' : 'customers'}
          </span>
        </span>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (plan) => (
      <span className="inline-flex gap-2">
        <NewPriceButton name={plan.name} onClick={() => onPrice(`router:${plan.slug}`)} />
        <Button
          size="sm"
          aria-label={`Retire ${plan.name}`}
          disabledReason={duty ?? (plan.retiredAt ? 'It is already retired.' : null)}
          onClick={() => onRetire(plan)}
        >
          Retire
        </Button>
      </span>
    ),
  },
]
