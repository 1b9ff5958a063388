import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { INVOICE_SORT_COLUMNS, INVOICE_SORTS, type InvoiceFilter } from '../../states.ts'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { ManagedTable } from '../../../ui/table/ManagedTable.tsx'
import { useServerSort } from '../../../ui/table/server-sort.ts'
import { writeSort } from '../../../ui/table/sort-text.ts'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { useSearch } from '../../../ui/staff/use-search.ts'
import { money, type ListedInvoice } from './api.ts'
import { invoiceColumns } from './invoice-columns.tsx'
import { InvoiceDialog } from './InvoiceDialog.tsx'
import { FILTER_BADGE } from './money-labels.ts'

/** Loads page by page from the server, which also filters and searches. */
export function InvoiceTable({ status, user }: { status: InvoiceFilter | undefined; user: number | undefined }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const serverSort = useServerSort(INVOICE_SORT_COLUMNS)
  const sort = INVOICE_SORTS.find((one) => one === writeSort(serverSort.current))
  const [shown, setShown] = useState<ListedInvoice | null>(null)
  const filter = { ...(status && { status }), ...(user !== undefined && { user }), ...(search && { search }) }
  const { data, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['GET /api/admin/invoices', filter, sort, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      money.call['GET /api/admin/invoices'](
        { query: { ...filter, ...(sort && { sort }), ...(pageParam !== null && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { topics: ['invoice', 'payment'] },
  })
  if (isPending) return <TableSkeleton />
  if (!data) return <ErrorState />
  return (
    <>
      <ManagedTable
        key={round}
        id="invoices"
        serverSort={serverSort}
        label="Invoices"
        columns={invoiceColumns(setShown)}
        rows={data.pages.flatMap((page) => page.invoices)}
        rowKey={(invoice) => invoice.id}
        filter="Search number or customer"
        initialFilter={typed}
        onFilter={setSearch}
        tools={
          <DownloadLink
            href={`/api/admin/invoices.csv?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`}
            label="CSV of these invoices"
            className="ml-auto"
          >
            CSV
          </DownloadLink>
        }
        page={{
          answered: isAsked && !isPlaceholderData,
          hasMore: hasNextPage,
          busy: isFetchingNextPage,
          onMore: () => void fetchNextPage(),
        }}
        empty={
          <EmptyState
            icon="billing"
            title={status ? `No invoice is ${FILTER_BADGE[status].label.toLowerCase()}` : 'No invoices yet'}
          >
            Invoices are created six hours after month end, once all usage has been recorded.
          </EmptyState>
        }
      />
      {shown && <InvoiceDialog id={shown.id} user={shown.user} onClose={() => setShown(null)} />}
    </>
  )
}
