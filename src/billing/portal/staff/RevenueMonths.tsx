import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import type { RevenueMonth } from './api.ts'
import { moneyText, monthName } from './money-labels.ts'
import { Money } from '../Money.tsx'

export const RevenueMonths = ({ months, currency }: { months: readonly RevenueMonth[]; currency: string }) => (
  <DataTable label="Months" columns={columns(currency)} rows={months} rowKey={(one) => one.month} />
)

type Sum = 'invoiced' | 'credited' | 'unbilled' | 'accrued' | 'projected' | 'tax' | 'open' | 'writtenOff'

const columns = (currency: string): readonly Column<RevenueMonth>[] => {
  const figure = (id: Sum, header: string, wideOnly = false): Column<RevenueMonth> => ({
    id,
    header,
    align: 'right',
    wideOnly,
    cell: (one) => {
      const amount = one[id]
      return <Money amount={amount} currency={currency} zeroFaint />
    },
    sort: (one) => one[id],
  })
  return [
    {
      id: 'month',
      header: 'Month',
      cell: (one) => (
        <span className="flex flex-wrap items-center gap-2.5">
          <Link to="/admin/revenue" search={{ month: one.month }} className="row-link">
            {monthName(one.from)}
          </Link>
          {one.running && <StatusBadge tone="waiting">In progress</StatusBadge>}
        </span>
      ),
      sort: (one) => one.month,
    },
    {
      id: 'customers',
      header: 'Customers',
      align: 'right',
      cell: (one) => <span className="num">{one.customers}</span>,
    },
    figure('invoiced', 'Invoiced'),
    figure('credited', 'Credited', true),
    figure('unbilled', 'Not invoiced', true),
    {
      ...figure('accrued', 'Earned'),
      cell: (one) => (
        <strong className="num font-semibold whitespace-nowrap">{moneyText(one.accrued, currency)}</strong>
      ),
    },
    figure('projected', 'Projected', true),
    figure('tax', 'Tax', true),
    figure('open', 'Open'),
    figure('writtenOff', 'Written off', true),
  ]
}
