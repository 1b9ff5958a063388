/** Finds routers for later slices and the staff's schema. */
import type { AccountId } from '../kernel/ids.ts'
import type { Db } from '../platform/db/index.ts'
import { anyRouters, type RouterRow } from './queries.ts'
import type { RouterState } from './states.ts'
import { addressesOf, stateOf } from './view.ts'

export interface RouterEntry {
  readonly id: number
  readonly accountId: AccountId
  readonly uuid: string
  readonly name: string
  readonly state: RouterState
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  readonly hypervisorId: number
  readonly addresses: readonly { readonly family: 4 | 6; readonly address: string; readonly gateway: string }[]
}

/** By id, in no order. Routers that are gone or being deleted are left out. */
export async function findRouters(db: Db, ids: readonly number[]): Promise<RouterEntry[]> {
  if (ids.length === 0) return []
  return (await anyRouters(db, { ids })).filter((row) => row.desired_state !== 'absent').map(entryOf)
}

/** Returns whether this user has a router that costs money, or is about to. */
export async function ownsRouters(db: Db, accountId: AccountId): Promise<boolean> {
  const found = await db
    .selectFrom('routers')
    .select('id')
    .where('account_id', '=', accountId)
    .where('desired_state', '!=', 'absent')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** False for another user's router, as for none, and for one that is being deleted. */
export async function ownsRouter(db: Db, accountId: AccountId, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('routers')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('desired_state', '!=', 'absent')
    .executeTakeFirst()
  return found !== undefined
}

/** Counts a user's routers with those that can be restored: they take room and addresses. */
export async function countRouters(db: Db, accountId: AccountId): Promise<number> {
  const { count } = await db
    .selectFrom('routers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('desired_state', '!=', 'absent'), eb('purge_at', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return count
}

const entryOf = (row: RouterRow): RouterEntry => ({
  id: row.id,
  accountId: row.account_id,
  uuid: row.uuid,
  name: row.name,
  state: stateOf(row),
  cpus: row.cpus,
  memory: row.memory,
  diskSize: row.disk_size,
  hypervisorId: row.hypervisor_id,
  addresses: addressesOf(row).map(({ family, address, gateway }) => ({ family, address, gateway })),
})
