/** Routers with everything that affects them, in one query. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { preparedQuery, type Db, type Places } from '../platform/db/index.ts'
import { answers } from './hypervisors/answers.ts'
import './tables.ts'

const joined = (db: Db) =>
  db
    .selectFrom('routers')
    .innerJoin('hypervisors', 'hypervisors.id', 'routers.hypervisor_id')
    .innerJoin('sites', 'sites.id', 'routers.site_id')
    .innerJoin('plans', 'plans.id', 'routers.plan_id')
    .innerJoin('images', 'images.id', 'routers.image_id')
    .innerJoin('address_leases', 'address_leases.router_id', 'routers.id')
    .innerJoin('address_pools', 'address_pools.id', 'address_leases.pool_id')
    .select([
      'hypervisors.slug as hypervisor_slug',
      'hypervisors.connected_at as hypervisor_connected_at',
      'sites.slug as site_slug',
      'sites.name as site_name',
      'plans.slug as plan_slug',
      'plans.name as plan_name',
      'images.slug as image_slug',
      'images.name as image_name',
      'images.source as image_source',
      'address_pools.prefix4',
      'address_pools.prefix6',
    ])
    .select(answers.as('hypervisor_connected'))
    // `inet` prints a host without its length only through host().
    .select([
      sql<string>`host(address_leases.address4)`.as('address4'),
      sql<string>`host(address_leases.address6)`.as('address6'),
      sql<string>`host(address_pools.gateway4)`.as('gateway4'),
      sql<string>`host(address_pools.gateway6)`.as('gateway6'),
    ])

export const routerRows = (db: Db) => joined(db).selectAll('routers')
export type RouterRow = Awaited<ReturnType<ReturnType<typeof routerRows>['execute']>>[number]

/** The columns that a list shows, half of all. */
const shownRows = (db: Db) =>
  joined(db)
    .select([
      'routers.id',
      'routers.uuid',
      'routers.name',
      'routers.cpus',
      'routers.memory',
      'routers.disk_size',
      'routers.created_at',
    ])
    .select([
      'routers.desired_state',
      'routers.purge_at',
      'routers.delete_protected',
      'routers.task',
      'routers.suspended',
      'routers.observed',
      'routers.observed_at',
      'routers.failure',
    ])
    .select(['routers.address_at', 'routers.disk_at', 'routers.boot_at', 'routers.ready_at', 'routers.reachable_at'])
export type ShownRow = Awaited<ReturnType<ReturnType<typeof shownRows>['execute']>>[number]

export const listOwnRouters = preparedQuery(['accountId'], (db, { accountId }: Places<{ accountId: AccountId }>) =>
  shownRows(db).where('routers.account_id', '=', accountId).orderBy('routers.id', 'desc'),
)

/** Another user's router counts as absent. */
export const findOwnRouter = async (db: Db, accountId: AccountId, id: number): Promise<RouterRow | undefined> =>
  (await ownRouter(db, { accountId, id }))[0]

const ownRouter = preparedQuery(
  ['accountId', 'id'],
  (db, { accountId, id }: Places<{ accountId: AccountId; id: number }>) =>
    routerRows(db).where('routers.account_id', '=', accountId).where('routers.id', '=', id),
)

export const findRouter = async (db: Db, id: number): Promise<RouterRow | undefined> =>
  (await anyRouters(db, { ids: [id] }))[0]

/** Ordered by id. */
export const anyRouters = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  routerRows(db)
    .where((eb) => eb('routers.id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('routers.id'),
)

/**
 * Locks those of the ids that the account owns until the transaction ends, so their states still allow the action when
 * it is written. In the order of the ids, which prevents deadlocks between two calls.
 */
export async function lockOwnRouters(
  db: Db,
  { accountId, ids }: { accountId: AccountId; ids: readonly number[] },
): Promise<RouterRow[]> {
  const locked = await ownIdsForUpdate(db, { accountId, ids })
  return anyRouters(db, { ids: locked.map(({ id }) => id) })
}

/** The same for all customers. */
export async function lockAnyRouters(db: Db, ids: { ids: readonly number[] }): Promise<RouterRow[]> {
  const locked = await idsForUpdate(db, ids)
  return anyRouters(db, { ids: locked.map(({ id }) => id) })
}

export const lockOwnRouter = async (db: Db, accountId: AccountId, id: number): Promise<RouterRow | undefined> =>
  (await lockOwnRouters(db, { accountId, ids: [id] }))[0]

export const lockRouter = async (db: Db, id: number): Promise<RouterRow | undefined> =>
  (await lockAnyRouters(db, { ids: [id] }))[0]

/*
 * A statement that locks must not join. After it has waited, PostgreSQL compares the changed router with the plan and
 * the hypervisor that it had before, and leaves the router out.
 */
const ownIdsForUpdate = preparedQuery(
  ['accountId', 'ids'],
  (db, { accountId, ids }: Places<{ accountId: AccountId; ids: readonly number[] }>) =>
    idsOf(db, ids).where('account_id', '=', accountId).forNoKeyUpdate(),
)
const idsForUpdate = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  idsOf(db, ids).forNoKeyUpdate(),
)
const idsOf = (db: Db, ids: Places<{ ids: readonly number[] }>['ids']) =>
  db
    .selectFrom('routers')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('id')
