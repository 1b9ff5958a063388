import { graphql, type ResultOf } from '../../../../ui/graphql/graphql.ts'

export const HypervisorDetail = graphql(`
  query HypervisorDetail($id: Int!, $after: String) {
    hypervisor(databaseId: $id) {
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
      routers(first: 50, after: $after) {
        nodes {
          id
          databaseId
          uuid
          name
          cpus
          memory
          diskSize
          state
          user {
            id
            databaseId
            firstName
            lastName
          }
        }
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)
export type DetailedHypervisor = NonNullable<ResultOf<typeof HypervisorDetail>['hypervisor']>
