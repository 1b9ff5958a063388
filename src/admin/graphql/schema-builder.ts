/** The builder of the staff schema, and loaders that batch: one query for a whole level of the response. */
import type { AccountId } from '../../kernel/ids.ts'
import DataLoader from 'dataloader'
import type { Clock } from '../../kernel/clock.ts'
import type { Money } from '../../kernel/money.ts'
import type { Db } from '../../platform/db/index.ts'
import { createBuilder, type PageInput } from '../../platform/graphql/builder.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { step } from '../../platform/trace.ts'
import { hypervisorsWithUsage, type HypervisorWithUsage } from '../../routers/index.ts'
import {
  prefixesOfAccounts,
  registryHoldersOf,
  strongestEvidenceOf,
  transitOfAccounts,
  type Evidence,
  type PrefixRecord,
  type TransitRecord,
} from '../../transit/index.ts'
import { routersByIds, routersOfAccounts, routersOnHypervisors, type RouterRecord } from '../queries/routers.ts'
import { usersByAccounts, type UserRecord } from '../queries/users.ts'

/** Resolves the money fields; the billing slice implements it. */
export interface RevenueSource {
  /** Returns what each of these accounts owes so far for the current month, fixed and metered, before tax. */
  chargesThisBillingCycle(db: Db, accountIds: readonly AccountId[]): Promise<Map<AccountId, Money>>
  revenue(db: Db): Promise<{ projected: Money; accrued: Money }>
  readonly currency: string
}

export interface StaffContext {
  readonly principal: Principal
  readonly db: Db
  readonly money: RevenueSource
  readonly load: Loaders
}

/** What the loaders need besides the database. */
export interface LoaderSources {
  readonly clock: Clock
  readonly money: RevenueSource
  /** Returns the link of each account's open ASN verification, as far as the viewer may have it. */
  readonly verificationLinks: (
    db: Db,
    viewer: Principal,
    accountIds: readonly AccountId[],
  ) => Promise<Map<AccountId, string>>
}

export const builder = createBuilder<StaffContext>()

export type Loaders = ReturnType<typeof createLoaders>

export const createLoaders = (db: Db, viewer: Principal, { clock, money, verificationLinks }: LoaderSources) => ({
  userOfAccount: batch<UserRecord, AccountId>('users of accounts', (ids) => usersByAccounts(db, ids), missing),
  router: batch<RouterRecord | null>('routers', (ids) => routersByIds(db, ids), absent),
  hypervisor: batch<HypervisorWithUsage | null>('hypervisors', () => hypervisorsById(db), absent),
  routersOfAccount: batch<readonly RouterRecord[], AccountId>(
    'routers of accounts',
    (ids) => routersOfAccounts(db, ids),
    none,
  ),
  routersOnHypervisor: perPageInput((pageInput) =>
    batch<readonly RouterRecord[]>('routers of hypervisors', (ids) => routersOnHypervisors(db, ids, pageInput), none),
  ),
  transitOfAccount: batch<TransitRecord | null, AccountId>(
    'transit of accounts',
    (ids) => transitOfAccounts(db, ids),
    absent,
  ),
  prefixesOfAccount: batch<readonly PrefixRecord[], AccountId>(
    'prefixes of accounts',
    (ids) => prefixesOfAccounts(db, ids),
    none,
  ),
  registryHolder: batch<string | null>('registry holders', (ids) => registryHoldersOf(db, ids), absent),
  strongestEvidence: batch<Evidence | null>('evidence', (ids) => strongestEvidenceOf(db, ids, clock.now()), absent),
  verificationLink: batch<string | null, AccountId>(
    'verification links',
    (ids) => verificationLinks(db, viewer, ids),
    absent,
  ),
  chargesOfAccount: batch<Money, AccountId>(
    'charges of accounts',
    (ids) => money.chargesThisBillingCycle(db, ids),
    () => ({ amount: 0, currency: money.currency }),
  ),
})

/** `name` is the name of the step in the developer bar. */
function batch<T, Id extends number = number>(
  name: string,
  fetch: (ids: readonly Id[]) => Promise<Map<Id, T>>,
  otherwise: (id: Id) => T,
) {
  return new DataLoader<Id, T>(async (ids) => {
    const found = await step(name, () => fetch(ids))
    return ids.map((id) => found.get(id) ?? otherwise(id))
  })
}

/** Batches pages that were requested with the same arguments. */
function perPageInput<T>(
  create: (pageInput: PageInput) => DataLoader<number, T>,
): (pageInput: PageInput) => DataLoader<number, T> {
  const loaders = new Map<string, DataLoader<number, T>>()
  return (pageInput) => {
    const key = JSON.stringify([pageInput.first, pageInput.beforeId])
    const known = loaders.get(key) ?? create(pageInput)
    loaders.set(key, known)
    return known
  }
}

/** Loads all hypervisors: there are only a few, which costs less than a query for each set of ids. */
async function hypervisorsById(db: Db): Promise<Map<number, HypervisorWithUsage>> {
  const all = await hypervisorsWithUsage(db)
  return new Map(all.map((hypervisor) => [hypervisor.id, hypervisor]))
}

const absent = () => null
const none = () => []
function missing(id: number): never {
  throw new Error(`account ${id} is referred to and has no user`)
}
