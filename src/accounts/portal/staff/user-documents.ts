import { graphql, type ResultOf } from '../../../ui/graphql/graphql.ts'

export const UserList = graphql(`
  query UserList(
    $since: ISO8601DateTime
    $wantsCustomers: Boolean
    $suspended: Boolean
    $search: String
    $sort: UserSort
    $after: String
  ) {
    users(
      since: $since
      wantsCustomers: $wantsCustomers
      suspended: $suspended
      search: $search
      sort: $sort
      first: 50
      after: $after
    ) {
      nodes {
        id
        databaseId
        email
        firstName
        lastName
        company
        isAdmin
        createdAt
        lastSignInAt
        hasVerifiedEmail
        hasValidPaymentMethod
        isSuspendedByStaff
        isSuspendedForDebt
        chargesThisBillingCycle {
          amount
          currency
        }
        ipTransit {
          asn
          asnVerifiedAt
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
export type ListedUser = ResultOf<typeof UserList>['users']['nodes'][number]

export const UserDetail = graphql(`
  query UserDetail($id: Int!) {
    user(databaseId: $id) {
      id
      databaseId
      email
      firstName
      lastName
      company
      isAdmin
      createdAt
      lastSignInAt
      lastSignInIp
      hasVerifiedEmail
      hasValidPaymentMethod
      chargesThisBillingCycle {
        amount
        currency
      }
      ipTransit {
        asn
        asSet
        asnVerifiedAt
        asnVerificationLink
        transitableRouter {
          id
          databaseId
          name
        }
        prefixes {
          id
          databaseId
          value
          status
          rpkiStatus
          irrStatus
          announcementType
          importedAt
          createdAt
        }
      }
      routers {
        nodes {
          id
          databaseId
          uuid
          name
          cpus
          memory
          diskSize
          state
          hypervisor {
            id
            databaseId
            name
          }
        }
        totalCount
      }
    }
  }
`)
export type DetailedUser = NonNullable<ResultOf<typeof UserDetail>['user']>
