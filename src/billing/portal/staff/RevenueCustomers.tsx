import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { money, type Of } from './api.ts'
import { moneyText } from './money-labels.ts'
import { Money } from '../Money.tsx'

type Customer = Of<'GET /api/admin/revenue/customers'>['customers'][number]

/** Lists a month's revenue by customer, page by page. */
export function RevenueCustomers({ month }: { month: string }) {
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['GET /api/admin/revenue/customers', month, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      money.call['GET /api/admin/revenue/customers'](
        { query: { month, ...(pageParam !== null && { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { topics: ['invoice', 'payment', 'router'] },
  })
  if (isPending) return <TableSkeleton />
  const first = data?.pages[0]
  if (!first) return <ErrorState />
  return (
    <DataTable
      label="Customers"
      columns={columns(month, first.currency)}
      rows={data.pages.flatMap((page) => page.customers)}
      rowKey={(one) => one.id}
      page={{
        hasMore: hasNextPage,
        busy: isFetchingNextPage,
        onMore: () => void fetchNextPage(),
        total: first.total,
      }}
      empty={
        <EmptyState icon="users" title="No customers">
          No customers were charged this month.
        </EmptyState>
      }
    />
  )
}

const columns = (month: string, currency: string): readonly Column<Customer>[] => {
  const figure = (id: 'invoiced' | 'credited' | 'unbilled' | 'projected', header: string): Column<Customer> => ({
    id,
    header,
    align: 'right',
    wideOnly: id !== 'projected',
    cell: (one) => <Money amount={one[id]} currency={currency} zeroFaint />,
  })
  return [
    {
      id: 'name',
      header: 'Customer',
      cell: (one) => (
        <span>
          <Link to="/admin/revenue" search={{ month, user: one.id }} className="row-link">
            {fullName(one)}
          </Link>{' '}
          <span className="text-sm text-faint">{one.email}</span>
        </span>
      ),
    },
    figure('invoiced', 'Invoiced'),
    figure('credited', 'Credited'),
    figure('unbilled', 'Not invoiced'),
    {
      id: 'accrued',
      header: 'Earned',
      align: 'right',
      cell: (one) => (
        <strong className="num font-semibold whitespace-nowrap">{moneyText(one.accrued, currency)}</strong>
      ),
    },
    figure('projected', 'Projected'),
  ]
}
