import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { InvoiceFilter } from '../../states.ts'
import { Stat, Stats } from '../../../ui/components/Stat.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { FILTER_LINK, FilterCount, FilterLinks } from '../../../ui/staff/FilterLinks.tsx'
import { receivables } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { FILTERS, readInvoiceSearch } from './invoice-search.ts'
import { InvoiceTable } from './InvoiceTable.tsx'
import { FILTER_BADGE, moneyText } from './money-labels.ts'

const route = getRouteApi('/_signed-in/admin/invoices')

/** Lists the invoices of all customers and the amounts owed. */
export function InvoiceListPage() {
  const { status, user } = readInvoiceSearch(route.useSearch())
  const { currency, states } = useSuspenseQuery(receivables()).data
  const of = (wanted: InvoiceFilter) => states.find((state) => state.status === wanted)
  return (
    <>
      <PageHeader
        title="Invoices"
        actions={
          <Stats>
            <Stat label="Open" amount={moneyText(of('OPEN')?.amount ?? 0, currency)} />
            <Stat label="Overdue" amount={moneyText(of('OVERDUE')?.amount ?? 0, currency)} />
          </Stats>
        }
      />
      <BillingTabs />
      <FilterLinks label="Which invoices">
        <StatusLink current={status} />
        {FILTERS.map((one) => (
          <StatusLink key={one} status={one} current={status} count={of(one)?.count} />
        ))}
      </FilterLinks>
      <InvoiceTable key={`${status} ${user}`} status={status} user={user} />
    </>
  )
}

const StatusLink = ({
  status,
  current,
  count,
}: {
  status?: InvoiceFilter
  current: InvoiceFilter | undefined
  count?: number | undefined
}) => (
  <Link
    to="/admin/invoices"
    search={({ search, sort }) => ({
      ...(status && { status: status.toLowerCase() }),
      ...(search && { search }),
      ...(sort && { sort }),
    })}
    activeOptions={{ exact: true, explicitUndefined: true }}
    aria-current={status === current ? 'page' : undefined}
    className={FILTER_LINK}
  >
    {status ? FILTER_BADGE[status].label : 'All'} {count !== undefined && <FilterCount of={count} />}
  </Link>
)
