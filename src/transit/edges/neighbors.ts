/**
 * Keeps the neighbor tables of an edge equal to the leases, so that no customer's ARP or neighbor discovery can move
 * the address of another. See docs/decisions/0023-neighbour-discovery.md.
 */
import { sql } from 'kysely'
import { EdgeError, type SegmentHost } from '../../drivers/edge/index.ts'
import { linkLocalOf } from '../../kernel/mac.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { macOf } from '../../routers/index.ts'
import type { EdgeDeps } from '../deps.ts'
import { edgeOfSite } from './edge-assignment.ts'
import { ownEdge } from './own-edge.ts'
import { recordEdge } from './record.ts'

/** How soon manual changes on the router, and entries lost when a link went down, are repaired. */
const EVERY_MS = 10_000

export function neighborReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  /** The hosts that were written last; null: write them again. */
  let written: string | null = null
  return {
    name: 'edge-neighbors',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'router' || changeEvent.type === 'edge' ? own.wake() : null),
    due() {
      written = null
      return own.due()
    },
    async reconcile(id) {
      const hosts = await listHosts(db, id)
      const wanted = JSON.stringify(hosts)
      // Each load of an edge publishes events, and reading its tables starts two processes.
      if (wanted === written) return
      const error = await edge.pinNeighbors(hosts).then(
        () => null,
        (failure: unknown) => {
          if (failure instanceof EdgeError) return failure.message.slice(0, 500)
          throw failure
        },
      )
      written = error === null ? wanted : null
      await inTransaction(db, (transaction) =>
        recordEdge(transaction, id, { neighbors_error: error, neighbors_at: clock.now() }),
      )
    },
  }
}

/** Returns every router of the sites that the edge serves, running or not. A router owns its addresses until its lease ends. */
async function listHosts(db: Db, edgeId: number): Promise<SegmentHost[]> {
  const leases = await db
    .selectFrom('address_leases')
    .innerJoin('address_pools', 'address_pools.id', 'address_leases.pool_id')
    .innerJoin('routers', 'routers.id', 'address_leases.router_id')
    .leftJoin('transit_edge_sites as served', 'served.site_id', 'routers.site_id')
    .select('address_leases.router_id')
    .select([
      sql<string>`host(address_leases.address4)`.as('address4'),
      sql<string>`host(address_leases.address6)`.as('address6'),
      sql<string>`host(address_pools.gateway4)`.as('gateway4'),
      sql<string>`host(address_pools.gateway6)`.as('gateway6'),
    ])
    .where(edgeOfSite, '=', edgeId)
    .orderBy('address_leases.router_id')
    .execute()
  return leases.flatMap(({ router_id, address4, address6, gateway4, gateway6 }) => {
    const mac = macOf(router_id)
    return [
      { address: address4, mac, gateway: gateway4 },
      { address: address6, mac, gateway: gateway6 },
      { address: linkLocalOf(mac), mac, gateway: gateway6 },
    ]
  })
}
