/** Lists every customer's routers for staff, with keyset pagination. */
import { sql } from 'kysely'
import type { Db } from '../platform/db/index.ts'
import { pageOf } from '../platform/page-of.ts'
import { answers } from './hypervisors/answers.ts'
import type { ListedRouter, RouterFilter } from './contract.ts'
import type { RouterSort } from './states.ts'
import { routerConditions } from './search.ts'
import { leasedAddresses } from './view.ts'

export interface RouterPage {
  readonly before?: number | undefined
  readonly limit: number
  readonly sort?: RouterSort | undefined
}

/**
 * Newest first unless sorted otherwise, beyond `before`. The name of `before` is looked up so that every page begins in
 * the index. Includes routers being deleted: staff look for what is left of them.
 */
export async function listRouters(
  db: Db,
  filter: RouterFilter,
  page: RouterPage,
): Promise<{ routers: ListedRouter[]; next: number | null }> {
  const { state, site, hypervisor, search } = filter
  const conditions = search?.trim() ? routerConditions(search.trim()) : null
  if (conditions?.length === 0) return { routers: [], next: null }
  const { sort = '-created' } = page
  const byName = sort.endsWith('name')
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  // First find the ids, from indexes alone; then read their rows.
  const which = db
    .selectFrom('routers')
    .select('routers.id')
    .$if(state !== undefined, (query) => query.where('routers.state', '=', state!))
    .$if(site !== undefined, (query) => query.where('routers.site_id', '=', site!))
    .$if(hypervisor !== undefined, (query) => query.where('routers.hypervisor_id', '=', hypervisor!))
    .$if(page.before !== undefined, (query) =>
      query.where(
        byName
          ? sql<boolean>`(routers.name, routers.id) ${beyond}
              ((select name from routers where id = ${page.before}), ${page.before}::int)`
          : sql<boolean>`routers.id ${beyond} ${page.before}`,
      ),
    )
    .$if(conditions !== null, (query) => query.where((eb) => eb.or(conditions!)))
    .$if(byName, (query) => query.orderBy('routers.name', direction))
    .orderBy('routers.id', direction)
    .limit(page.limit + 1)
  const rows = await db
    .selectFrom('routers')
    .innerJoin('users', 'users.account_id', 'routers.account_id')
    .innerJoin('hypervisors', 'hypervisors.id', 'routers.hypervisor_id')
    .innerJoin('sites', 'sites.id', 'routers.site_id')
    .leftJoin('address_leases', 'address_leases.router_id', 'routers.id')
    .select(['routers.id', 'uuid', 'routers.name', 'routers.state', 'routers.cpus', 'routers.memory', 'disk_size'])
    .select(['routers.created_at', 'purge_at', 'routers.failure', 'hypervisor_id', 'routers.site_id'])
    .select(['hypervisors.name as hypervisor_name', 'sites.name as site_name', answers.as('connected')])
    .select(['users.id as user_id', 'first_name', 'last_name', 'email'])
    .select([sql<string | null>`host(address4)`.as('address4'), sql<string | null>`host(address6)`.as('address6')])
    .where('routers.id', 'in', which)
    .$if(byName, (query) => query.orderBy('routers.name', direction))
    .orderBy('routers.id', direction)
    .execute()
  const { shown, next } = pageOf(rows, page.limit, (row) => row.id)
  return {
    routers: shown.map((row) => ({
      id: row.id,
      uuid: row.uuid,
      name: row.name,
      state: row.state,
      stateKnown: row.connected,
      failure: row.failure,
      cpus: row.cpus,
      memory: row.memory,
      diskSize: row.disk_size,
      addresses: leasedAddresses(row),
      createdAt: row.created_at.toISOString(),
      purgeAt: row.purge_at?.toISOString() ?? null,
      user: { id: row.user_id, firstName: row.first_name, lastName: row.last_name, email: row.email },
      hypervisor: { id: row.hypervisor_id, name: row.hypervisor_name },
      site: { id: row.site_id, name: row.site_name },
    })),
    next,
  }
}
