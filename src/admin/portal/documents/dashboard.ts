import type { TypedDocumentNode } from '@apollo/client'
import { graphql, type ResultOf } from '../../../ui/graphql/graphql.ts'

/** A published operation: it still includes hypervisors and pending prefixes, which the page reads over REST. */
const Dashboard = graphql(`
  query Dashboard($since: ISO8601DateTime!) {
    hypervisors {
      id
      databaseId
      name
      driver
      connected
      drained
      fault
      cpuUsage
      memoryUsage
      ipv4Usage
      ipv6Usage
      site {
        id
        name
      }
      routers {
        totalCount
      }
    }
    pendingPrefixes: transitPrefixes(status: PENDING) {
      totalCount
    }
    approvedPrefixes: transitPrefixes(status: APPROVED, first: 200) {
      totalCount
      nodes {
        id
        databaseId
        ipTransit {
          asn
        }
      }
    }
    recentUsers: users(since: $since) {
      totalCount
    }
    customers: users(wantsCustomers: true) {
      totalCount
    }
    users {
      totalCount
    }
    revenue(period: MONTHLY) {
      projected {
        amount
        currency
      }
      accrued {
        amount
        currency
      }
    }
  }
`)

/** For staff without the billing role. */
const DashboardWithoutRevenue = graphql(`
  query DashboardWithoutRevenue($since: ISO8601DateTime!) {
    approvedPrefixes: transitPrefixes(status: APPROVED, first: 200) {
      totalCount
      nodes {
        id
        databaseId
        ipTransit {
          asn
        }
      }
    }
    recentUsers: users(since: $since) {
      totalCount
    }
    customers: users(wantsCustomers: true) {
      totalCount
    }
    users {
      totalCount
    }
  }
`)

export type Revenue = ResultOf<typeof Dashboard>['revenue']
export type DashboardData = ResultOf<typeof DashboardWithoutRevenue> & { readonly revenue?: Revenue }

export const dashboardFor = (bills: boolean): TypedDocumentNode<DashboardData, { since: string }> =>
  bills ? Dashboard : DashboardWithoutRevenue
