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

/** By id, in no order. */
export const anyRouters = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  routerRows(db).where((eb) => eb('routers.id', '=', eb.fn.any(eb.val(ids)))),
)

/** Locks the router until the transaction ends, so its state still allows the action when it is written. */
export const requireOwnRouterForUpdate = async (
  db: Db,
  accountId: AccountId,
  id: number,
): Promise<RouterRow | undefined> => (await lockedRouter(db, { accountId, id }))[0]

const lockedRouter = preparedQuery(
  ['accountId', 'id'],
  (db, { accountId, id }: Places<{ accountId: AccountId; id: number }>) =>
    routerRows(db).where('routers.account_id', '=', accountId).where('routers.id', '=', id).forNoKeyUpdate('routers'),
)

/** Locks those of the ids that the user owns, in an order that prevents deadlocks between two calls. */
export const lockOwnRouters = preparedQuery(
  ['accountId', 'ids'],
  (db, { accountId, ids }: Places<{ accountId: AccountId; ids: readonly number[] }>) =>
    routerRows(db)
      .where('routers.account_id', '=', accountId)
      .where((eb) => eb('routers.id', '=', eb.fn.any(eb.val(ids))))
      .orderBy('routers.id')
      .forNoKeyUpdate('routers'),
)

/** The same for all customers. */
export const lockAnyRouters = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  routerRows(db)
    .where((eb) => eb('routers.id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('routers.id')
    .forNoKeyUpdate('routers'),
)

export const lockRouter = async (db: Db, id: number): Promise<RouterRow | undefined> =>
  (await lockedAnyRouter(db, { id }))[0]

const lockedAnyRouter = preparedQuery(['id'], (db, { id }: Places<{ id: number }>) =>
  routerRows(db).where('routers.id', '=', id).forNoKeyUpdate('routers'),
)
