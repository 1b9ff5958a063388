import { mebibytes } from '../../ui/components/quantity.ts'
import type { Router } from '../contract.ts'
import { routers } from './api.ts'
import { UsageHistory } from './UsageHistory.tsx'

/** CPU, memory and traffic, on the first screen: they are half of what a customer looks for. */
export const RouterMetrics = ({ router }: { router: Pick<Router, 'id' | 'name' | 'memory'> }) => (
  <UsageHistory
    title="Usage"
    name={router.name}
    group={`router-${router.id}`}
    read={(query) => routers.query['GET /api/virtual_machines/{id}/metrics']({ params: { id: router.id }, query })}
    memory={{ format: mebibytes, leastTop: router.memory, binary: true }}
    memoryUnit="mebibytes"
    failure="This router’s metrics could not be loaded."
  />
)
