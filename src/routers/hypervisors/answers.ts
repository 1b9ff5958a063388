import { sql } from 'kysely'
import { isDriven } from '../../platform/leases/agent-lease.ts'

/** Of `hypervisors`: whether it is known how its routers are. Nobody looks where no process drives it. */
export const answers = sql<boolean>`(hypervisors.connected and ${isDriven('hypervisor_agents', 'hypervisors.slug')})`
