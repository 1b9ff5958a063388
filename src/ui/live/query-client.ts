import { QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import type { Topic } from '../../kernel/change-topics.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { findUnshownIn } from '../runtime/unshown-reads.ts'
import { session } from '../runtime/session.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The topics whose change events make this response stale. */
      readonly topics?: readonly Topic[]
    }
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Something on screen is gone. Its last data would be false, so they are dropped and the page becomes the 404
      // page.
      if (error instanceof HttpFailure && error.status === 404 && query.state.data !== undefined) {
        void queryClient.resetQueries({ queryKey: query.queryKey, exact: true })
      }
    },
  }),
  defaultOptions: {
    queries: {
      // Change events mark responses stale at once; this only avoids a second request between a hover and the click.
      staleTime: 10_000,
      retry: false,
    },
    mutations: { retry: false },
  },
})

findUnshownIn(() => {
  const isUnshown = (query: Query): boolean => query.state.fetchStatus === 'fetching' && query.getObserversCount() === 0
  const found = queryClient.getQueryCache().getAll().filter(isUnshown)
  return () => {
    for (const query of found.filter(isUnshown)) void query.cancel({ revert: true, silent: true })
  }
})

// One user must not see another's data.
let owner = session.current()?.id
session.subscribe(() => {
  const id = session.current()?.id
  if (id !== owner) queryClient.clear()
  owner = id
})
