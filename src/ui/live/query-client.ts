import { QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import type { Topic } from '../../kernel/change-topics.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { findUnshownIn } from '../runtime/unshown-reads.ts'
import { session } from '../runtime/session.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The nouns whose news make this answer stale. */
      readonly topics?: readonly Topic[]
    }
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Something that was on screen is gone. Keeping its last picture would be a lie: drop it, so that the screen becomes the 404 page.
      if (error instanceof HttpFailure && error.status === 404 && query.state.data !== undefined) {
        void queryClient.resetQueries({ queryKey: query.queryKey, exact: true })
      }
    },
  }),
  defaultOptions: {
    queries: {
      // News mark answers stale as they happen; this only spares a second request between a hover and the click that follows.
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

// What one user loaded is nothing for the next.
let owner = session.current()?.id
session.subscribe(() => {
  const id = session.current()?.id
  if (id !== owner) queryClient.clear()
  owner = id
})
