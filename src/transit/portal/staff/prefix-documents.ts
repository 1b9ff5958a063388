import { graphql, type ResultOf } from '../../../ui/graphql/graphql.ts'

export const PrefixList = graphql(`
  query PrefixList($status: TransitPrefixStatus, $search: String, $sort: TransitPrefixSort, $after: String) {
    transitPrefixes(status: $status, search: $search, sort: $sort, first: 50, after: $after) {
      nodes {
        id
        databaseId
        value
        status
        rpkiStatus
        irrStatus
        announcementType
        importedAt
        flaggedAt
        createdAt
        holder
        evidence {
          kind
          source
          strength
          seen
        }
        ipTransit {
          asn
          user {
            id
            databaseId
            firstName
            lastName
          }
        }
      }
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
export type ListedPrefix = ResultOf<typeof PrefixList>['transitPrefixes']['nodes'][number]

/** The number of prefixes in each status, for the labels of the tabs. */
export const PrefixCounts = graphql(`
  query PrefixCounts {
    all: transitPrefixes {
      totalCount
    }
    pending: transitPrefixes(status: PENDING) {
      totalCount
    }
    needsAction: transitPrefixes(status: NEEDS_ACTION) {
      totalCount
    }
    approved: transitPrefixes(status: APPROVED) {
      totalCount
    }
    rejected: transitPrefixes(status: REJECTED) {
      totalCount
    }
    suspended: transitPrefixes(status: SUSPENDED) {
      totalCount
    }
    withdrawn: transitPrefixes(status: WITHDRAWN) {
      totalCount
    }
  }
`)

export const PrefixDetail = graphql(`
  query PrefixDetail($id: Int!) {
    transitPrefix(databaseId: $id) {
      id
      databaseId
      value
      status
      rpkiStatus
      irrStatus
      announcementType
      importedAt
      createdAt
      ipTransit {
        asn
        asSet
        asnVerifiedAt
        user {
          id
          databaseId
          firstName
          lastName
        }
        transitableRouter {
          id
          databaseId
          uuid
          name
          state
        }
        prefixes {
          id
          databaseId
          value
          status
        }
      }
    }
  }
`)
export type DetailedPrefix = NonNullable<ResultOf<typeof PrefixDetail>['transitPrefix']>
