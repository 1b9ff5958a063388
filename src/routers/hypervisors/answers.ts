import { sql } from 'kysely'
import { isDriven } from '../../platform/leases/agent-lease.ts'

/** Of `hypervisors`: whether the state of its routers is known. Without a process that drives it, it is not. */
export const answers = sql<boolean>`(hypervisors.connected and ${isDriven('hypervisor_agents', 'hypervisors.slug')})`
