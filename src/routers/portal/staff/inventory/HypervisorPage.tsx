import { useSuspenseQuery as useGraphql } from '@apollo/client/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { useTransition } from 'react'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { PageHeader, Section } from '../../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../../ui/components/PropertyTable.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import { Crumbs } from '../../../../ui/components/Crumbs.tsx'
import { HypervisorDetail, type DetailedHypervisor } from './hypervisor-document.ts'
import { AuditLogLink } from '../../../../ui/staff/AuditLogLink.tsx'
import { AgentKeys } from '../../../../accounts/portal/staff/AgentKeys.tsx'
import { drainOf } from '../api.ts'
import { AgentNotices } from './AgentNotices.tsx'
import { drainColumns } from './drain-columns.tsx'
import { DrainButton } from './DrainButton.tsx'
import { DrainProgress } from './DrainProgress.tsx'
import { HypervisorDetails } from './HypervisorDetails.tsx'
import { HypervisorHistory } from './HypervisorHistory.tsx'
import { HypervisorState } from './HypervisorState.tsx'
import { RemoveHypervisor } from './RemoveHypervisor.tsx'
import { UserLink } from '../../../../accounts/portal/staff/UserLink.tsx'
import { routerColumns } from '../router-columns.tsx'

const route = getRouteApi('/_signed-in/admin/hypervisors/$id')

type Row = DetailedHypervisor['routers']['nodes'][number]

const COLUMNS = routerColumns<Row>({
  id: 'user',
  header: 'User',
  cell: ({ user }) => <UserLink id={user.databaseId} user={user} />,
} satisfies Column<Row>)

/** One host: how full it is and was, what drives it, what runs on it, and what a drain would do. */
export function HypervisorPage() {
  const { id } = route.useParams()
  const { data: drain } = useSuspenseQuery(drainOf(id))
  const { data, fetchMore } = useGraphql(HypervisorDetail, { variables: { id } })
  const [busy, start] = useTransition()
  const { hypervisor } = data
  if (!hypervisor) throw notFound()
  const { nodes, totalCount, pageInfo } = hypervisor.routers
  const more = () => start(() => void fetchMore({ variables: { after: pageInfo.endCursor } }))
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/inventory">Infrastructure</Link>
            <Link to="/admin/inventory/hypervisors">Hypervisors</Link>
          </Crumbs>
        }
        title={hypervisor.name}
        status={<HypervisorState of={hypervisor} />}
        actions={
          <>
            <AuditLogLink search={{ subjectType: 'hypervisor', subjectId: hypervisor.databaseId }} />
            <DrainButton host={{ ...hypervisor, id: hypervisor.databaseId }} />
            {drain.hypervisor.drained && drain.routers.length === 0 && (
              <RemoveHypervisor host={{ ...hypervisor, id: hypervisor.databaseId }} />
            )}
          </>
        }
        summary={hypervisor.site.name}
      />
      <AgentNotices host={drain.hypervisor} />
      {drain.hypervisor.drained && <DrainProgress drain={drain} />}
      <PropertyTable
        items={[
          { label: 'CPU in use', value: <UsageBar used={hypervisor.cpuUsage} label="CPU in use" /> },
          { label: 'IPv4 addresses', value: <UsageBar used={hypervisor.ipv4Usage} label="IPv4 addresses" /> },
          { label: 'Memory in use', value: <UsageBar used={hypervisor.memoryUsage} label="Memory in use" /> },
          { label: 'IPv6 addresses', value: <UsageBar used={hypervisor.ipv6Usage} label="IPv6 addresses" /> },
        ]}
      />
      <HypervisorHistory id={id} slug={drain.hypervisor.slug} />
      <Section title="Routers">
        <DataTable
          label="Routers"
          columns={COLUMNS}
          rows={nodes}
          rowKey={(router) => router.id}
          page={{ hasMore: pageInfo.hasNextPage, busy, onMore: more, total: totalCount }}
          empty={
            <EmptyState icon="router" title="No routers here">
              {drain.hypervisor.drained
                ? 'This host is empty. It can be serviced, switched off or removed.'
                : `New routers at ${hypervisor.site.name} are placed where there is capacity.`}
            </EmptyState>
          }
        />
      </Section>
      {drain.routers.length > 0 && (
        <Section
          title="Drain plan"
          summary={
            drain.hypervisor.drained
              ? 'What is left here, and where each router can go. Live migration isn’t supported yet.'
              : 'What would happen to each router if this host were drained. Live migration isn’t supported yet.'
          }
        >
          <DataTable
            label="Drain plan"
            columns={drainColumns}
            rows={drain.routers}
            rowKey={(router) => router.id}
            filter="Filter drain plan"
          />
        </Section>
      )}
      <Section title="Host">
        <HypervisorDetails host={drain.hypervisor} />
      </Section>
      <AgentKeys kind="hypervisor" slug={drain.hypervisor.slug} name={hypervisor.name} />
    </>
  )
}
