import { useSuspenseQuery } from '@apollo/client/react'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { useTransition } from 'react'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { PageHeader, Section } from '../../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../../ui/components/PropertyTable.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import { Crumbs } from '../../../../ui/components/Crumbs.tsx'
import { HypervisorDetail, type DetailedHypervisor } from './hypervisor-document.ts'
import { AuditLogLink } from '../../../../ui/staff/AuditLogLink.tsx'
import { DrainButton } from './DrainButton.tsx'
import { HypervisorState } from './HypervisorState.tsx'
import { UserLink } from '../../../../accounts/portal/staff/UserLink.tsx'
import { routerColumns } from '../router-columns.tsx'

const route = getRouteApi('/_signed-in/admin/hypervisors/$id')

type Row = DetailedHypervisor['routers']['nodes'][number]

const COLUMNS = routerColumns<Row>({
  id: 'user',
  header: 'User',
  cell: ({ user }) => <UserLink id={user.databaseId} user={user} />,
} satisfies Column<Row>)

export function HypervisorPage() {
  const { id } = route.useParams()
  const { data, fetchMore } = useSuspenseQuery(HypervisorDetail, { variables: { id } })
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
            <Link to="/admin">Dashboard</Link>
            <Link to="/admin/inventory/hypervisors/$id" params={{ id }}>
              Stock
            </Link>
          </Crumbs>
        }
        title={hypervisor.name}
        status={<HypervisorState of={hypervisor} />}
        actions={
          <>
            <AuditLogLink search={{ subjectType: 'hypervisor', subjectId: hypervisor.databaseId }} />
            <DrainButton host={{ ...hypervisor, id: hypervisor.databaseId }} />
          </>
        }
        summary={`${hypervisor.site.name} · ${hypervisor.driver === 'simulated' ? 'simulated: no virtual machines' : hypervisor.driver}`}
      />
      {!hypervisor.connected && (
        <div className="mb-4">
          <Callout tone="bad" title="Unreachable">
            <p>{hypervisor.fault ?? 'The reason is not known yet.'}</p>
            <p className="text-dim">The figures below are as last reported.</p>
          </Callout>
        </div>
      )}
      <PropertyTable
        items={[
          { label: 'CPU', value: <UsageBar used={hypervisor.cpuUsage} label="CPU" /> },
          { label: 'IPv4 addresses', value: <UsageBar used={hypervisor.ipv4Usage} label="IPv4 addresses" /> },
          { label: 'Memory', value: <UsageBar used={hypervisor.memoryUsage} label="Memory" /> },
          { label: 'IPv6 addresses', value: <UsageBar used={hypervisor.ipv6Usage} label="IPv6 addresses" /> },
        ]}
      />
      <Section title="Routers">
        <DataTable
          label="Routers"
          columns={COLUMNS}
          rows={nodes}
          rowKey={(router) => router.id}
          page={{ hasMore: pageInfo.hasNextPage, busy, onMore: more, total: totalCount }}
          empty={
            <EmptyState icon="router" title="No routers here">
              New routers at {hypervisor.site.name} are placed where there is capacity.
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}
