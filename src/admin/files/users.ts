import { CSV_PAGE, csvPages } from '../../platform/csv-pages.ts'
import type { Db } from '../../platform/db/index.ts'
import { transitOfAccounts, type TransitRecord } from '../../transit/index.ts'
import { listUsers, type UserFilter, type UserRecord } from '../queries/users.ts'
import type { UserFileFilter } from './contract.ts'

type Row = UserRecord & { readonly transit: TransitRecord | undefined }

export const usersCsv = (db: Db, filter: UserFilter): AsyncIterable<string> =>
  csvPages<Row>(
    {
      id: (user) => user.id,
      email: (user) => user.email,
      first_name: (user) => user.firstName,
      last_name: (user) => user.lastName,
      company: (user) => user.company,
      asn: (user) => user.transit?.asn,
      asn_verified_at: (user) => user.transit?.asnVerifiedAt?.toISOString(),
      created_at: (user) => user.createdAt.toISOString(),
      last_sign_in_at: (user) => user.lastSignInAt?.toISOString(),
      email_verified: (user) => user.hasVerifiedEmail,
      payment_method: (user) => user.hasValidPaymentMethod,
      staff: (user) => user.isAdmin,
      suspended_by_staff: (user) => user.isSuspendedByStaff,
      suspended_for_debt: (user) => user.isSuspendedForDebt,
    },
    async (beforeId) => {
      const users = await listUsers(db, filter, { first: CSV_PAGE, ...(beforeId !== undefined && { beforeId }) })
      const transit = await transitOfAccounts(
        db,
        users.map(({ accountId }) => accountId),
      )
      return {
        rows: users.map((user) => ({ ...user, transit: transit.get(user.accountId) })),
        next: users.length < CSV_PAGE ? null : users.at(-1)!.id,
      }
    },
  )

export function readUserFilter({ type, since, search }: UserFileFilter, now: Date): UserFilter {
  const yesterday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 1))
  return {
    ...(type === 'recent' && { since: since ? new Date(since) : yesterday }),
    ...(type === 'paying' && { wantsCustomers: true }),
    ...(type === 'suspended' && { suspended: true }),
    search,
  }
}
