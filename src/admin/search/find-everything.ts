/** Searches each kind with its own index, in parallel, and then loads all owners in one query. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import { prefixesThatFit, transitOfAccounts } from '../../transit/index.ts'
import { listUsers, usersByAccounts, type UserRecord } from '../queries/users.ts'
import type { SearchApi } from './contract.ts'
import { findInvoices } from './find-invoices.ts'
import { findRouters } from './find-routers.ts'

/** Enough to recognize a result; the list page shows more. */
const MOST = 5

type Found = Reply<SearchApi['GET /api/admin/search']>

export async function findEverything(db: Db, q: string): Promise<Found> {
  const [users, routers, prefixes, invoices] = await Promise.all([
    listUsers(db, { search: q }, { first: MOST }),
    findRouters(db, q, MOST),
    prefixesThatFit(db, { search: q }).list({ first: MOST }),
    findInvoices(db, q, MOST),
  ])
  const owned = [...routers, ...prefixes, ...invoices]
  const [owners, transit] = await Promise.all([
    usersByAccounts(db, [...new Set(owned.map(({ accountId }) => accountId))]),
    transitOfAccounts(
      db,
      users.map(({ accountId }) => accountId),
    ),
  ])
  const ownerOf = ({ accountId }: { readonly accountId: AccountId }) => viewUser(owners.get(accountId)!)
  return {
    users: users.map((user) => ({
      ...viewUser(user),
      company: user.company,
      asn: transit.get(user.accountId)?.asn ?? null,
    })),
    routers: routers.map((router) => ({ id: router.id, uuid: router.uuid, name: router.name, user: ownerOf(router) })),
    prefixes: prefixes.map((prefix) => ({
      id: prefix.id,
      value: prefix.value,
      status: prefix.status,
      user: ownerOf(prefix),
    })),
    invoices: invoices.map((invoice) => ({ id: invoice.id, number: invoice.number, user: ownerOf(invoice) })),
  }
}

const viewUser = ({ id, email, firstName, lastName }: UserRecord) => ({ id, email, firstName, lastName })
