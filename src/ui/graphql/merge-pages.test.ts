import { gql, InMemoryCache } from '@apollo/client'
import { expect, test } from 'vitest'
import { mergePages } from './merge-pages.ts'

const PAGE = gql`
  query Page($after: String) {
    users(after: $after) {
      nodes {
        databaseId
      }
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`
const COUNT = gql`
  query Count {
    users {
      totalCount
    }
  }
`

function listOf() {
  const cache = new InMemoryCache({
    typePolicies: { Query: { fields: { users: { keyArgs: false, merge: mergePages } } } },
  })
  return {
    cache,
    write: (ids: number[], more: boolean, after?: string, totalCount = 9) =>
      cache.writeQuery({
        query: PAGE,
        variables: after === undefined ? {} : { after },
        data: {
          users: {
            __typename: 'UserConnection',
            nodes: ids.map((id) => ({ __typename: 'User', id: `user-${id}`, databaseId: id })),
            totalCount,
            pageInfo: { __typename: 'PageInfo', hasNextPage: more, endCursor: `${ids.at(-1)}` },
          },
        },
      }),
    read: () => {
      const { users } = cache.readQuery<{
        users: {
          nodes: { databaseId: number }[]
          totalCount: number
          pageInfo: { hasNextPage: boolean; endCursor: string }
        }
      }>({ query: PAGE })!
      return { ...users, ids: users.nodes.map(({ databaseId }) => databaseId) }
    },
  }
}

test('a further page follows those before it', () => {
  const list = listOf()
  list.write([9, 8, 7], true)
  list.write([6, 5], false, '7')
  expect(list.read()).toMatchObject({ ids: [9, 8, 7, 6, 5], pageInfo: { hasNextPage: false } })
})

test('the first page read again keeps the further ones, and where they end', () => {
  const list = listOf()
  list.write([9, 8, 7], true)
  list.write([6, 5], true, '7')
  list.write([10, 9, 8], true, undefined, 10)
  expect(list.read()).toMatchObject({
    ids: [10, 9, 8, 7, 6, 5],
    totalCount: 10,
    pageInfo: { hasNextPage: true, endCursor: '5' },
  })
})

test('what is gone from the first page goes', () => {
  const list = listOf()
  list.write([9, 8, 7], true)
  list.write([6], false, '7')
  list.write([9, 7, 6], true)
  expect(list.read().ids).toEqual([9, 7, 6])
})

test('a first page that is the whole list leaves nothing behind it', () => {
  const list = listOf()
  list.write([9, 8], true)
  list.write([7], false, '8')
  list.write([9], false)
  expect(list.read()).toMatchObject({ ids: [9], pageInfo: { hasNextPage: false, endCursor: '9' } })
})

test('a count alone leaves the rows as they are', () => {
  const list = listOf()
  list.write([9, 8], true)
  list.cache.writeQuery({ query: COUNT, data: { users: { __typename: 'UserConnection', totalCount: 12 } } })
  expect(list.read()).toMatchObject({ ids: [9, 8], totalCount: 12 })
})
