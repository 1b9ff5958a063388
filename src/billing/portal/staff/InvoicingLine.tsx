import { useSuspenseQuery } from '@tanstack/react-query'
import { invoicing, type Of } from './api.ts'
import { moneyText, monthName } from './money-labels.ts'

/** Usage grows with time, so no change event announces it. */
const READ_AGAIN_MS = 300_000

type Month = Of<'GET /api/admin/revenue/invoicing'>['last']

/** Shows the last month and the current one in one line. */
export function InvoicingLine() {
  const { data } = useSuspenseQuery({ ...invoicing(), refetchInterval: READ_AGAIN_MS })
  return (
    <p className="mb-2.5 text-sm text-pretty">
      <InvoicedMonth month={data.last} of="invoiced" /> <InvoicedMonth month={data.running} of="unbilled" />{' '}
      <span className="text-faint">Before tax.</span>
    </p>
  )
}

const PARTS = [
  ['invoiced', 'invoiced'],
  ['credited', 'credited'],
  ['drafted', 'in draft invoices'],
  ['unbilled', 'not invoiced yet'],
] as const

/** `of` is the expected part of the month, shown even if it is zero. */
function InvoicedMonth({ month, of }: { month: Month; of: 'invoiced' | 'unbilled' }) {
  const parts = month.amounts.flatMap((sums, index) =>
    PARTS.filter(([part]) => sums[part] !== 0 || (index === 0 && part === of)).map(
      ([part, words]) => `${moneyText(sums[part], sums.currency)} ${words}`,
    ),
  )
  return (
    <>
      <span className="font-medium">
        {monthName(month.from)}
        {of === 'unbilled' && ' so far'}:
      </span>{' '}
      <span className="num">{parts.join(', ')}.</span>
    </>
  )
}
