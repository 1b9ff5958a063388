import { useSuspenseQuery } from '@apollo/client/react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { startOfYesterday } from '../../accounts/portal/staff/user-name.ts'
import { InvoicingLine } from '../../billing/portal/staff/InvoicingLine.tsx'
import { RevenueOverview } from '../../billing/portal/staff/RevenueOverview.tsx'
import { TotalTraffic } from '../../routers/portal/staff/TotalTraffic.tsx'
import { DownSessions } from '../../transit/portal/staff/DownSessions.tsx'
import { DownUpstreams } from '../../transit/portal/staff/edges/DownUpstreams.tsx'
import { EdgeSummary } from '../../transit/portal/staff/edges/EdgeSummary.tsx'
import { PageHeader, Section } from '../../ui/components/PageHeader.tsx'
import { BlockSkeleton, Skeleton, TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { TimeChartSkeleton } from '../../ui/components/TimeChart.tsx'
import { useMissingRoleReason } from '../../ui/runtime/required-role.ts'
import { LoadedSection, type SectionHead } from '../../ui/screens/LoadedSection.tsx'
import { SectionErrorBoundary } from '../../ui/screens/SectionErrorBoundary.tsx'
import { DashboardStats } from './DashboardStats.tsx'
import { dashboardFor } from './documents/dashboard.ts'
import { HypervisorTable } from './HypervisorTable.tsx'
import { QueuePanel, QueueTotal } from './queues/QueuePanel.tsx'
import { RevenueStat } from './RevenueStat.tsx'

/**
 * Shows what needs attention, what is down, how full and busy the network is, and, with the billing role, the
 * revenue.
 */
export function DashboardPage() {
  const bills = useMissingRoleReason('billing') === null
  const { data } = useSuspenseQuery(dashboardFor(bills), {
    variables: { since: startOfYesterday() },
    refetchOn: { windowFocus: true },
  })
  return (
    <>
      <PageHeader title="Dashboard" />
      <Part head={{ title: 'Needs attention', actions: <QueueTotal /> }} loading={<BlockSkeleton className="h-24" />}>
        <QueuePanel />
      </Part>
      <div className="mt-4">
        <DashboardStats data={data} />
      </div>
      <Part
        head={{
          title: 'BGP sessions',
          actions: <More to="/admin/sessions">View sessions</More>,
        }}
        loading={<BlockSkeleton className="h-24" />}
      >
        <DownUpstreams />
        <DownSessions />
      </Part>
      <Part
        head={{
          title: 'Edges',
          actions: <More to="/admin/inventory/edges">View edges</More>,
        }}
        loading={<TableSkeleton rows={1} />}
      >
        <EdgeSummary />
      </Part>
      <Part
        head={{
          title: 'Hypervisors',
          actions: <More to="/admin/inventory/hypervisors">View hypervisors</More>,
        }}
        loading={<TableSkeleton rows={2} />}
      >
        <HypervisorTable />
      </Part>
      <Part head={{ title: 'Traffic, last 24 hours' }} loading={<TimeChartSkeleton />}>
        <TotalTraffic />
      </Part>
      {data.revenue && (
        <RevenueStat
          revenue={data.revenue}
          line={
            <SectionErrorBoundary loading={<Skeleton className="mb-2.5 h-5 w-96 max-w-full" />}>
              <InvoicingLine />
            </SectionErrorBoundary>
          }
        >
          <RevenueOverview label="Revenue so far" height={116} />
        </RevenueStat>
      )}
    </>
  )
}

const More = ({ to, children }: { to: NonNullable<LinkProps['to']>; children: ReactNode }) => (
  <Link to={to} className="link text-sm">
    {children}
  </Link>
)

const Part = ({ head, loading, children }: { head: SectionHead; loading: ReactNode; children: ReactNode }) => (
  <LoadedSection head={head} loading={loading}>
    <Section {...head}>{children}</Section>
  </LoadedSection>
)
