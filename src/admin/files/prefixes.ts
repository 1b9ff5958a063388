import { CSV_PAGE, csvPages } from '../../platform/csv-pages.ts'
import type { Db } from '../../platform/db/index.ts'
import { prefixesThatFit, type PrefixFilter, type PrefixRecord } from '../../transit/index.ts'
import { usersByAccounts, type UserRecord } from '../queries/users.ts'

type Row = PrefixRecord & { readonly user: UserRecord }

export function prefixesCsv(db: Db, filter: PrefixFilter): AsyncIterable<string> {
  const fitting = prefixesThatFit(db, filter)
  return csvPages<Row>(
    {
      id: (prefix) => prefix.id,
      prefix: (prefix) => prefix.value,
      status: (prefix) => prefix.status,
      rpki: (prefix) => prefix.rpkiStatus,
      irr: (prefix) => prefix.irrStatus,
      type: (prefix) => prefix.announcementType,
      origin_asn: (prefix) => prefix.originAsn,
      user_id: (prefix) => prefix.user.id,
      user_email: (prefix) => prefix.user.email,
      user_name: (prefix) => `${prefix.user.firstName} ${prefix.user.lastName}`,
      at_the_edge_since: (prefix) => prefix.importedAt?.toISOString(),
      flagged_at: (prefix) => prefix.flaggedAt?.toISOString(),
      created_at: (prefix) => prefix.createdAt.toISOString(),
    },
    async (beforeId) => {
      const prefixes = await fitting.list({ first: CSV_PAGE, ...(beforeId !== undefined && { beforeId }) })
      const users = await usersByAccounts(db, [...new Set(prefixes.map(({ accountId }) => accountId))])
      return {
        rows: prefixes.map((prefix) => ({ ...prefix, user: users.get(prefix.accountId)! })),
        next: prefixes.length < CSV_PAGE ? null : prefixes.at(-1)!.id,
      }
    },
  )
}
