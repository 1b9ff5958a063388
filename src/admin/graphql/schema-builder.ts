/** The staff's schema: one builder, and loaders that batch by construction, one query for a whole level of the answer. */
import DataLoader from 'dataloader'
import type { Money } from '../../kernel/money.ts'
import type { Db } from '../../platform/db/index.ts'
import { createBuilder } from '../../platform/graphql/builder.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { prefixesOfUsers, transitOfUsers, type PrefixRecord, type TransitRecord } from '../../transit/index.ts'
import { hypervisorsByIds, type HypervisorRecord } from '../queries/hypervisors.ts'
import { routersByIds, routersOfUsers, type RouterRecord } from '../queries/routers.ts'
import { usersByIds, type UserRecord } from '../queries/users.ts'

/** What the fields of money are asked of; the billing slice answers. */
export interface RevenueSource {
  /** What each of these users owes so far for the running month, fixed and metered, before tax. */
  chargesThisBillingCycle(db: Db, userIds: readonly number[]): Promise<Map<number, Money>>
  revenue(db: Db): Promise<{ projected: Money; accrued: Money }>
  readonly currency: string
}

export interface StaffContext {
  readonly principal: Principal
  readonly db: Db
  readonly money: RevenueSource
  readonly load: Loaders
}

/** What the loaders need beside the database. */
export interface LoaderSources {
  readonly money: RevenueSource
  /** The open ASN verification's link of each of these users. */
  readonly verificationLinks: (db: Db, userIds: readonly number[]) => Promise<Map<number, string>>
}

export const builder = createBuilder<StaffContext>()

export type Loaders = ReturnType<typeof createLoaders>

export const createLoaders = (db: Db, { money, verificationLinks }: LoaderSources) => ({
  user: batch<UserRecord>((ids) => usersByIds(db, ids), missing),
  router: batch<RouterRecord | null>((ids) => routersByIds(db, ids), absent),
  hypervisor: batch<HypervisorRecord | null>((ids) => hypervisorsByIds(db, ids), absent),
  routersOfUser: batch<readonly RouterRecord[]>((ids) => routersOfUsers(db, ids), none),
  transitOfUser: batch<TransitRecord | null>((ids) => transitOfUsers(db, ids), absent),
  prefixesOfUser: batch<readonly PrefixRecord[]>((ids) => prefixesOfUsers(db, ids), none),
  verificationLink: batch<string | null>((ids) => verificationLinks(db, ids), absent),
  chargesOfUser: batch<Money>(
    (ids) => money.chargesThisBillingCycle(db, ids),
    () => ({ amount: 0, currency: money.currency }),
  ),
})

function batch<T>(fetch: (ids: readonly number[]) => Promise<Map<number, T>>, otherwise: (id: number) => T) {
  return new DataLoader<number, T>(async (ids) => {
    const found = await fetch(ids)
    return ids.map((id) => found.get(id) ?? otherwise(id))
  })
}

const absent = () => null
const none = () => []
function missing(id: number): never {
  throw new Error(`user ${id} is referred to and does not exist`)
}
