import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DataTable } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { PageHeader, Section } from '../../../../ui/components/PageHeader.tsx'
import { Crumbs } from '../../../../ui/components/Crumbs.tsx'
import { DrainButton } from './DrainButton.tsx'
import { HypervisorState } from './HypervisorState.tsx'
import { AuditLogLink } from '../../../../ui/staff/AuditLogLink.tsx'
import { drainOf } from '../api.ts'
import { drainColumns } from './drain-columns.tsx'
import { DrainProgress } from './DrainProgress.tsx'
import { AgentKeys } from '../../../../accounts/portal/staff/AgentKeys.tsx'
import { AgentNotices } from './AgentNotices.tsx'
import { HypervisorDetails } from './HypervisorDetails.tsx'

const route = getRouteApi('/_signed-in/admin/inventory/hypervisors/$id')

/** One host: what is sold of it, whether it is being emptied, and what is left on it. */
export function DrainPage() {
  const { id } = route.useParams()
  const { data } = useSuspenseQuery(drainOf(id))
  const { hypervisor: host, routers } = data
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/inventory/hypervisors">Hypervisors</Link>
          </Crumbs>
        }
        title={host.name}
        status={<HypervisorState of={host} />}
        actions={
          <>
            <AuditLogLink search={{ subjectType: 'hypervisor', subjectId: id }} />
            <DrainButton host={host} />
          </>
        }
        summary={
          <>
            {host.site.name} ·{' '}
            <Link to="/admin/hypervisors/$id" params={{ id }} className="link">
              usage
            </Link>
          </>
        }
      />
      <AgentNotices host={host} />
      {host.drained && <DrainProgress drain={data} />}
      <HypervisorDetails host={host} />
      <AgentKeys kind="hypervisor" slug={host.slug} name={host.name} />
      <Section
        title={host.drained ? 'Remaining routers' : 'Routers'}
        summary="What would happen to each router if this host were drained. Live migration isn’t supported yet."
      >
        <DataTable
          label="Routers on this hypervisor"
          columns={drainColumns}
          rows={routers}
          rowKey={(router) => router.id}
          filter="Filter routers"
          empty={
            <EmptyState icon="router" title="No routers here">
              {host.drained
                ? 'This host is empty and can be serviced or switched off.'
                : 'New routers are placed where there is capacity.'}
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}
