import { graphql, type ResultOf } from '../../../ui/graphql/graphql.ts'

export const Dashboard = graphql(`
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
export type DashboardHypervisor = ResultOf<typeof Dashboard>['hypervisors'][number]
