/** Segments that routers attach to: which of their addresses are in use, and by whom. */
import { sql } from 'kysely'
import { invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import { poolCapacity } from '../addresses.ts'
import { leasedAddresses } from '../view.ts'
import type { AddressPool, PoolAddresses } from './contract.ts'
import { explainPool, type NewPool } from './new-pool.ts'
import { recordInventoryChange, siteId } from './record.ts'

export async function listPools(db: Db, id?: number): Promise<AddressPool[]> {
  const rows = await db
    .selectFrom('address_pools')
    .innerJoin('sites', 'sites.id', 'address_pools.site_id')
    .select(['address_pools.id', 'prefix4', 'prefix6', 'address_pools.closed_at', 'site_id', 'sites.name as site_name'])
    .select([sql<string>`host(gateway4)`.as('gateway4'), sql<string>`host(gateway6)`.as('gateway6')])
    .select((eb) =>
      eb
        .selectFrom('address_leases')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('address_leases.pool_id', '=', 'address_pools.id')
        .as('used'),
    )
    .$if(id !== undefined, (query) => query.where('address_pools.id', '=', id!))
    .orderBy('sites.name')
    .orderBy('prefix4')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    site: { id: row.site_id, name: row.site_name },
    prefix4: row.prefix4,
    gateway4: row.gateway4,
    prefix6: row.prefix6,
    gateway6: row.gateway6,
    capacity: poolCapacity(row),
    used: row.used ?? 0,
    closedAt: row.closed_at?.toISOString() ?? null,
  }))
}

export async function addPool(db: Db, actor: Actor, site: string, pool: NewPool): Promise<number> {
  const id = await siteId(db, site)
  // Two pools that are added at once must see each other: overlapping ones would give out one address twice.
  await sql`lock table address_pools in share row exclusive mode`.execute(db)
  const others = await db.selectFrom('address_pools').select(['prefix4', 'prefix6']).execute()
  const problems = explainPool(pool, others)
  if (problems.length > 0) throw invalid(problems)
  const added = await db
    .insertInto('address_pools')
    .values({ site_id: id, ...pool })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordInventoryChange(db, actor, 'pool.added', added.id, { site, ...pool })
  return added.id
}

/** Closes a pool: it gives out no more addresses, and those in use stay. */
export async function closePool(db: Db, actor: Actor, id: number, closed: boolean, now: Date): Promise<void> {
  const before = await db
    .selectFrom('address_pools')
    .select(['prefix4', 'prefix6', 'closed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  if ((before.closed_at !== null) === closed) return
  await db
    .updateTable('address_pools')
    .set({ closed_at: closed ? now : null })
    .where('id', '=', id)
    .execute()
  const { prefix4, prefix6 } = before
  await recordInventoryChange(db, actor, closed ? 'pool.closed' : 'pool.reopened', id, { prefix4, prefix6 })
}

/** Lists addresses by host number, beyond `after`. */
export async function poolAddresses(
  db: Db,
  id: number,
  page: { readonly after: number; readonly limit: number },
): Promise<PoolAddresses> {
  if (!(await db.selectFrom('address_pools').select('id').where('id', '=', id).executeTakeFirst())) throw notFound()
  const rows = await db
    .selectFrom('address_leases as lease')
    .innerJoin('routers', 'routers.id', 'lease.router_id')
    .innerJoin('users', 'users.account_id', 'routers.account_id')
    .select(['lease.host_number', 'routers.id', 'routers.name', 'routers.state', 'routers.created_at', 'users.email'])
    .select(['users.id as user_id', 'users.first_name', 'users.last_name'])
    .select([sql<string>`host(lease.address4)`.as('address4'), sql<string>`host(lease.address6)`.as('address6')])
    .where('lease.pool_id', '=', id)
    .where('lease.host_number', '>', page.after)
    .orderBy('lease.host_number')
    .limit(page.limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, page.limit, (row) => row.host_number)
  return {
    addresses: shown.map((row) => ({
      hostNumber: row.host_number,
      addresses: leasedAddresses(row),
      router: { id: row.id, name: row.name, state: row.state, createdAt: row.created_at.toISOString() },
      user: { id: row.user_id, firstName: row.first_name, lastName: row.last_name, email: row.email },
    })),
    next,
  }
}
