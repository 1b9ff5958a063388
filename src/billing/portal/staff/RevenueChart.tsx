import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { TimeChart } from '../../../ui/components/TimeChart.tsx'
import type { Of } from './api.ts'
import { dayText, moneyQuantity } from './money-labels.ts'
import { Money } from '../Money.tsx'

type Days = Of<'GET /api/admin/revenue/days'>

/** Chart of the current month's revenue by day, with the projection; the same numbers are listed below it. */
export function RevenueChart({
  data: { currency, days },
  height = 180,
  label = 'Revenue of this month',
}: {
  data: Days
  height?: number
  label?: string
}) {
  return (
    <>
      <TimeChart
        utc
        label={label}
        times={days.map((day) => day.at)}
        series={[
          { label: 'Accrued', values: days.map((day) => day.accrued), color: 'accent' },
          { label: 'Projected', values: days.map((day) => day.projected), color: 'ok' },
        ]}
        format={(amount, like) => moneyQuantity(amount, currency, like)}
        leastTop={100}
        height={height}
      />
      <details className="mt-2 text-sm lg:col-start-2">
        <summary className="w-fit rounded-sm text-dim hover:text-ink">View as table</summary>
        <div className="mt-2">
          <DataTable
            label="Revenue so far, by day"
            columns={columns(currency)}
            rows={days}
            rowKey={(day) => day.at}
            tools={
              <DownloadLink href="/api/admin/revenue/days.csv" label="CSV of the days" className="ml-auto">
                CSV
              </DownloadLink>
            }
          />
        </div>
      </details>
    </>
  )
}

const columns = (currency: string): readonly Column<Days['days'][number]>[] => [
  {
    id: 'at',
    header: 'Up to (UTC)',
    cell: ({ at }) => (
      <span className="num">
        {dayText(at)}
        {at.slice(11, 16) !== '00:00' && `, ${at.slice(11, 16)}`}
      </span>
    ),
  },
  {
    id: 'accrued',
    header: 'Accrued',
    align: 'right',
    cell: ({ accrued }) => <Sum amount={accrued} currency={currency} />,
  },
  {
    id: 'projected',
    header: 'Projected',
    align: 'right',
    cell: ({ projected }) => <Sum amount={projected} currency={currency} />,
  },
]

const Sum = ({ amount, currency }: { amount: number | null; currency: string }) =>
  amount === null ? <EmptyValue /> : <Money amount={amount} currency={currency} />
