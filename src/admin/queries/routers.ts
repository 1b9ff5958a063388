/** Routers for staff, in batches and by pages of a hypervisor. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { viewState, type RouterState } from '../../routers/states.ts'

export interface RouterRecord {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  readonly state: RouterState
  readonly accountId: AccountId
  readonly hypervisorId: number
}

const routers = (db: Db) =>
  db
    .selectFrom('routers')
    .select(['id', 'uuid', 'name', 'cpus', 'memory', 'disk_size', 'account_id', 'hypervisor_id'])
    .select(['desired_state', 'suspended', 'task', 'observed', 'ready_at', 'reachable_at', 'failure'])

type Row = Awaited<ReturnType<ReturnType<typeof routers>['execute']>>[number]

const recordOf = (row: Row): RouterRecord => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  cpus: row.cpus,
  memory: row.memory,
  diskSize: row.disk_size,
  accountId: row.account_id,
  hypervisorId: row.hypervisor_id,
  state: viewState({
    desiredState: row.desired_state,
    suspended: row.suspended,
    task: row.task,
    observed: row.observed,
    ready: row.ready_at !== null,
    created: row.reachable_at !== null,
    failed: row.failure !== null,
  }),
})

export async function routersByIds(db: Db, ids: readonly number[]): Promise<Map<number, RouterRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await routers(db)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, recordOf(row)]))
}

/** Returns all routers of these accounts, newest first for each account. */
export async function routersOfAccounts(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, RouterRecord[]>> {
  if (accountIds.length === 0) return new Map()
  const rows = await routers(db)
    .where('account_id', 'in', [...accountIds])
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows.map(recordOf), (router) => router.accountId)
}

/** Returns one page of routers for each of these hypervisors, newest first. */
export async function routersOnHypervisors(
  db: Db,
  hypervisorIds: readonly number[],
  page: { first: number; beforeId?: number },
): Promise<Map<number, RouterRecord[]>> {
  if (hypervisorIds.length === 0) return new Map()
  const rows = await routers(db)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('hypervisors')
        .innerJoinLateral(
          (lateral) =>
            lateral
              .selectFrom('routers as placed')
              .select('placed.id')
              .whereRef('placed.hypervisor_id', '=', 'hypervisors.id')
              .$if(page.beforeId !== undefined, (query) => query.where('placed.id', '<', page.beforeId!))
              .orderBy('placed.id', 'desc')
              .limit(page.first)
              .as('page'),
          (join) => join.onTrue(),
        )
        .select('page.id')
        .where('hypervisors.id', 'in', [...hypervisorIds]),
    )
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows.map(recordOf), (router) => router.hypervisorId)
}
