import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { customerBilling, revenueMonths } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { monthName } from './money-labels.ts'
import { RevenueCustomers } from './RevenueCustomers.tsx'
import { RevenueKinds } from './RevenueKinds.tsx'
import { RevenueLines } from './RevenueLines.tsx'
import { RevenueMonths } from './RevenueMonths.tsx'
import { RevenueOverview } from './RevenueOverview.tsx'

const route = getRouteApi('/_signed-in/admin/revenue')

/** Shows all months, or one month by kind and customer, or one customer's month by line. */
export function RevenuePage() {
  const { month, user } = route.useSearch()
  if (month === undefined) return <AllMonths />
  return user === undefined ? <OneMonth month={month} /> : <OneCustomer month={month} user={user} />
}

function AllMonths() {
  const { currency, months } = useSuspenseQuery(revenueMonths()).data
  return (
    <>
      <PageHeader title="Revenue" summary="Before tax. Same calculation as invoices." />
      <BillingTabs />
      <RevenueOverview height={220} />
      <Section title="Months">
        <RevenueMonths months={months} currency={currency} />
      </Section>
    </>
  )
}

const named = (month: string) => monthName(`${month}-15T00:00:00Z`)

function OneMonth({ month }: { month: string }) {
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/revenue" search={{}}>
              Billing
            </Link>
          </Crumbs>
        }
        title={named(month)}
        actions={<Download query={`month=${month}`} />}
      />
      <BillingTabs />
      <RevenueKinds month={month} />
      <Section title="Customers" summary="Highest revenue first.">
        <RevenueCustomers key={month} month={month} />
      </Section>
    </>
  )
}

function OneCustomer({ month, user }: { month: string; user: number }) {
  const customer = useSuspenseQuery(customerBilling(user)).data.user
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/revenue" search={{}}>
              Billing
            </Link>
            <Link to="/admin/revenue" search={{ month }}>
              {named(month)}
            </Link>
          </Crumbs>
        }
        title={fullName(customer)}
        actions={
          <>
            <Link to="/admin/users/$id/billing" params={{ id: user }} className={buttonClass()}>
              Charges and invoices
            </Link>
            <Download query={`month=${month}&user=${user}`} />
          </>
        }
      />
      <BillingTabs />
      <RevenueLines month={month} user={user} />
    </>
  )
}

const Download = ({ query }: { query: string }) => (
  <DownloadLink size="md" href={`/api/admin/revenue.csv?${query}`} label="CSV of the lines">
    CSV
  </DownloadLink>
)
