import { useSuspenseQuery } from '@apollo/client/react'
import { PageHeader, Section } from '../../portal/ui/PageHeader.tsx'
import { Dashboard } from './documents/dashboard.ts'
import { RevenuePicture } from './billing/RevenuePicture.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { HypervisorTable } from './HypervisorTable.tsx'
import { startOfYesterday } from './person.ts'
import { QueuePanel } from './queues/QueuePanel.tsx'
import { RevenueFigure } from './RevenueFigure.tsx'

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
        <DashboardFigures data={data} />
      </div>
      <RevenueFigure revenue={data.revenue}>
        <RevenuePicture label="Daily revenue" height={116} />
      </RevenueFigure>
      <Section title="Hypervisors">
        <HypervisorTable hypervisors={data.hypervisors} />
      </Section>
    </>
  )
}
