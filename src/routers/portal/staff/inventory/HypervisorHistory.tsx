import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { percent } from '../../../../ui/components/quantity.ts'
import { UsageHistory } from '../../UsageHistory.tsx'
import { staffRouters } from '../api.ts'

/** The load of a host, and what its routers carried together. */
export const HypervisorHistory = ({ id, slug }: { id: number; slug: string }) => (
  <UsageHistory
    title="History"
    name={slug}
    group={`hypervisor-${id}`}
    read={(query) => staffRouters.query['GET /api/admin/hypervisors/{id}/metrics']({ params: { id }, query })}
    memory={{ format: percent, leastTop: 0.2 }}
    memoryUnit="fraction"
    failure="This host’s history could not be loaded."
    empty={
      <EmptyState title="No measurements in this period">
        CPU, memory and traffic are measured while this host is connected, and shown here within some minutes.
      </EmptyState>
    }
  />
)
