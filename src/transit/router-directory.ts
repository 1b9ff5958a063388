/** What transit reads of routers: who owns them, what state they are in, and the addresses that sessions run on. */
import { sql } from 'kysely'
import { viewState, type RouterState } from '../routers/states.ts'
import type { Db } from '../platform/db/index.ts'
import type { RouterAddress } from './filters/desired.ts'

export interface CarryingRouter {
  readonly id: number
  readonly userId: number
  readonly uuid: string
  readonly name: string
  readonly state: RouterState
  /** Empty until the router has its lease. */
  readonly addresses: readonly RouterAddress[]
}

/** Routers by id; one that is gone, or on its way out, is not among them. */
export async function findRouters(db: Db, ids: readonly number[]): Promise<CarryingRouter[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('routers as router')
    .leftJoin('address_leases as lease', 'lease.router_id', 'router.id')
    .leftJoin('address_pools as pool', 'pool.id', 'lease.pool_id')
    .select(['router.id', 'router.user_id', 'router.uuid', 'router.name', 'router.wish', 'router.suspended'])
    .select(['router.task', 'router.observed', 'router.ready_at', 'router.reachable_at', 'router.failure'])
    .select([
      sql<string | null>`host(lease.address4)`.as('address4'),
      sql<string | null>`host(lease.address6)`.as('address6'),
      sql<string | null>`host(pool.gateway4)`.as('gateway4'),
      sql<string | null>`host(pool.gateway6)`.as('gateway6'),
    ])
    .where('router.id', 'in', ids)
    .where('router.wish', '<>', 'absent')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    uuid: row.uuid,
    name: row.name,
    state: viewState({
      wish: row.wish,
      suspended: row.suspended,
      task: row.task,
      observed: row.observed,
      ready: row.ready_at !== null,
      created: row.reachable_at !== null,
      failed: row.failure !== null,
    }),
    addresses: [
      ...(row.address4 && row.gateway4 ? [{ family: 4, address: row.address4, gateway: row.gateway4 } as const] : []),
      ...(row.address6 && row.gateway6 ? [{ family: 6, address: row.address6, gateway: row.gateway6 } as const] : []),
    ],
  }))
}
