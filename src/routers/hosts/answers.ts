import { sql } from 'kysely'
import { isDriven } from '../../platform/driving/claims.ts'

/** Of `hypervisors`: whether it is known how its routers are. Nobody looks where no process drives it. */
export const answers = sql<boolean>`(hypervisors.connected and ${isDriven('hypervisor_drivers', 'hypervisors.slug')})`
