import { useSuspenseQuery } from '@apollo/client/react'
import { PageHeader, Section } from '../../ui/components/PageHeader.tsx'
import { Dashboard } from './documents/dashboard.ts'
import { RevenueOverview } from '../../billing/portal/staff/RevenueOverview.tsx'
import { DashboardStats } from './DashboardStats.tsx'
import { HypervisorTable } from './HypervisorTable.tsx'
import { startOfYesterday } from '../../accounts/portal/staff/user-name.ts'
import { QueuePanel } from './queues/QueuePanel.tsx'
import { RevenueStat } from './RevenueStat.tsx'

/** What waits for staff, who came, what it earns, and how full the hosts are. */
export function DashboardPage() {
  const { data } = useSuspenseQuery(Dashboard, {
    variables: { since: startOfYesterday() },
    refetchOn: { windowFocus: true },
  })
  return (
    <>
      <PageHeader title="Dashboard" />
      <QueuePanel />
      <div className="mt-4">
        <DashboardStats data={data} />
      </div>
      <RevenueStat revenue={data.revenue}>
        <RevenueOverview label="Daily revenue" height={116} />
      </RevenueStat>
      <Section title="Hypervisors">
        <HypervisorTable hypervisors={data.hypervisors} />
      </Section>
    </>
  )
}
